import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';

const ROOT = join(import.meta.dirname, '..', '..');
/** Lines. A longer file mostly has two subjects, and its readers want one of them. */
const LONGEST = 300;

/** Files that are read as a whole, so that two of them would be harder to read. */
const WHOLE: Readonly<Record<string, string>> = {
  'pkg/config/schema.ts': 'the table of all settings',
  'pkg/console/client/pages/folders/style.css': 'the styles of one page, whose order decides',
  'pkg/console/client/style/parts.css': 'the styles of the parts of all pages, whose order decides',
  'pkg/http/server.ts': 'the life of the servers of both protocols, from open to closed',
  'pkg/kube/cel/check/checker.ts': 'one visitor, with a method for each kind of expression',
  'pkg/kube/json/scan.ts': 'one state machine',
  'registry/client/client.ts': 'one class: all writes by one transaction, which is at its end',
  'registry/rest/verbs/list.ts': 'one request, from its options to the answer',
  'storage/lmdb/backend.ts': 'one class: the contract of a store, in its order',
};

const linesOf = (text: string): number => text.split('\n').length - 1;

describe('files without tests', () => {
  it('have at most 300 lines, except those that are read as a whole', async () => {
    const { stdout } = await promisify(execFile)('git', ['ls-files', '*.ts', '*.tsx', '*.css'], { cwd: ROOT });
    const names = stdout.split('\n').filter((name) => name !== '' && !name.includes('test'));
    const long = await Promise.all(
      names.map(async (name) => {
        const lines = linesOf(await readFile(join(ROOT, name), 'utf8').catch(() => ''));
        return lines > LONGEST ? [name] : [];
      }),
    );
    expect(long.flat().sort(), 'split them, or remove those that have become shorter from the list').to.deep.equal(
      Object.keys(WHOLE).sort(),
    );
  });
});
