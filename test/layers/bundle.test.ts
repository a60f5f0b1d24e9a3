import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';

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
});
