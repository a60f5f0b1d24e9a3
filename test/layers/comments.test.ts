import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';

const ROOT = join(import.meta.dirname, '..', '..');
/** Columns. Two files beside each other fit on a screen, and a reader finds the next line. */
const WIDEST = 120;

/** Comments that are longer. Commands to copy are indented by more than one space, and stay in one line. */
function wideComments(text: string): readonly string[] {
  return text.split('\n').filter((line) => /^ *(?:\/\*\*|\*|\/\/) ?\S/.test(line) && [...line].length > WIDEST);
}

describe('comments', () => {
  it('have at most 120 columns', async () => {
    const { stdout } = await promisify(execFile)('git', ['ls-files', '*.ts', '*.tsx'], { cwd: ROOT });
    const names = stdout.split('\n').filter((name) => name !== '');
    const found = await Promise.all(
      names.map(async (name) =>
        wideComments(await readFile(join(ROOT, name), 'utf8').catch(() => '')).map((line) => `${name}: ${line.trim()}`),
      ),
    );
    expect(found.flat()).to.deep.equal([]);
  });

  it('are found if they have more, and commands are not', () => {
    const long = 'word '.repeat(30);
    expect(wideComments(`/** ${long}*/\n * ${long}\n  // ${long}\n`)).to.have.lengthOf(3);
    expect(wideComments(` *   npx ${long}\nconst text = '${long}'; // short\n`)).to.deep.equal([]);
  });
});
