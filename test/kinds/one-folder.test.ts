import { execFile, execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';

const ROOT = join(import.meta.dirname, '../..');
const KIND = 'hack/examples/kind';
const FOLDER = 'apis/playlist/playlist';
const LINE = `export { playlist } from './playlist/playlist/index.js';\n`;

/** The suites that look at every kind, and of their tests those about this one and about all kinds. */
const SUITES = [
  'test/kinds/kinds.test.ts',
  'test/kinds/columns.test.ts',
  'test/permissions/kinds.test.ts',
  'test/permissions/legacy.test.ts',
  'test/docs/docs.test.ts',
];
const COMPLETE = 'have a row for|exist for exactly';
const ABOUT = `laylist|${COMPLETE}|have a sample|send only bodies|docs/api`;

interface Run {
  readonly isPassed: boolean;
  readonly text: string;
}

describe('a kind with a legacy adapter', function oneFolder() {
  this.timeout(300_000);
  let tree: string;

  const git = (...args: readonly string[]): string => execFileSync('git', args, { cwd: tree, encoding: 'utf8' });
  const run = async (...args: readonly string[]): Promise<Run> => {
    const { CI: _, ...env } = process.env;
    return promisify(execFile)(process.execPath, args, { cwd: tree, env, maxBuffer: 2 ** 26 }).then(
      ({ stdout }) => ({ isPassed: true, text: stdout }),
      ({ stdout, stderr }) => ({ isPassed: false, text: `${stdout}${stderr}` }),
    );
  };
  const suites = (about: string): Promise<Run> =>
    run(
      'node_modules/mocha/bin/mocha.js',
      '--no-config',
      ...['--node-option', 'import=tsx/esm', '--require', 'test/harness/seed.ts', '--timeout', '60000'],
      ...['--grep', about, ...SUITES],
    );

  before('copy the tree, and add the kind by one folder and one line', () => {
    tree = mkdtempSync(join(tmpdir(), 'kind-'));
    const tracked = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' }).trim().split('\n');
    for (const path of tracked) if (existsSync(join(ROOT, path))) cpSync(join(ROOT, path), join(tree, path));
    symlinkSync(join(ROOT, 'node_modules'), join(tree, 'node_modules'));
    git('init', '--quiet');
    git('add', '--all');
    cpSync(join(ROOT, KIND), join(tree, FOLDER), { recursive: true });
    const list = join(tree, 'apis/index.ts');
    writeFileSync(list, `${readFileSync(list, 'utf8')}${LINE}`);
    git('add', '--all');
  });

  after(() => rmSync(tree, { recursive: true }));

  it('is one folder and one line, and the suites, the permissions and the documents know it', async () => {
    expect((await run('--import', 'tsx/esm', 'hack/kinds-table.ts')).text).to.equal('');
    const { isPassed, text } = await suites(ABOUT);
    expect(isPassed, text).to.equal(true);
    for (const name of [
      'kind playlists.playlist.svc.app',
      'show playlists in 100 columns',
      'Playlist deletecollection',
      'DELETE /playlists/:uid',
      'docs/api.md has the kinds as they are defined',
    ])
      expect(text).to.include(name);
  });

  it('is incomplete without its examples, and the suites say what is missing', async () => {
    for (const path of ['examples.ts', 'legacy/examples.ts']) rmSync(join(tree, FOLDER, path));
    const { isPassed, text } = await suites(COMPLETE);
    expect(isPassed).to.equal(false);
    for (const missing of ['playlist', 'Playlist get', 'GET /playlists']) expect(text).to.include(missing);
  });
});
