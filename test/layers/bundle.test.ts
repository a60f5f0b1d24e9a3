import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { ROOT } from '../e2e/process.js';

const run = promisify(execFile);
const FOLDERS = ['cmd', 'pkg', 'apis', 'registry', 'storage'];

/**
 * In the bundle, a CommonJS module in a separate file has only a default export, so `import()` of it must go through a
 * file of ours.
 */
describe('the bundle', () => {
  it('loads packages on demand only through files of ours', async () => {
    const args = ['grep', '--untracked', '-nE', String.raw`[^a-z]import\(['"][^.]`, '--', ...FOLDERS];
    // Git exits with 1 if it finds nothing.
    const { stdout } = await run('git', args).catch((error: { readonly stdout: string }) => error);
    expect(stdout).to.equal('');
  });

  // It takes longer to load than most parts of the server, and most servers have no provider that needs it.
  it('has the library for SAML only in the file of its thread', async function built() {
    const path = join(ROOT, 'dist', '.bundle.json');
    if (!existsSync(path)) this.skip();
    const { inputs } = JSON.parse(await readFile(path, 'utf8')) as { readonly inputs: object };
    expect(Object.keys(inputs).filter((file) => file.includes('node_modules/@node-saml/'))).to.deep.equal([]);
  });
});
