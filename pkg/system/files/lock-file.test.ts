import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { lockFile } from './lock-file.js';

const MODULE = new URL('./lock-file.ts', import.meta.url).href;

/**
 * A process that takes the lock, forgets what could end it, collects its garbage, tells whether it has the lock, and
 * then stays.
 */
const HOLDER = `
  const { lockFile } = await import(${JSON.stringify(MODULE)});
  const told = (await lockFile(process.env.LOCKED)) === undefined ? 'refused' : 'taken';
  for (let i = 0; i < 3; i++) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    gc();
  }
  console.log(told);
  setInterval(() => undefined, 1000);
`;

describe('lockFile', () => {
  let root = '';
  let path = '';
  const children: ChildProcess[] = [];

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'apiserver-lock-'));
    path = join(root, 'lock');
  });
  afterEach(async () => {
    for (const child of children.splice(0)) await killed(child);
    rmSync(root, { recursive: true, force: true });
  });

  /** Starts the process, and returns what it tells. */
  async function another(): Promise<readonly [ChildProcess, string]> {
    const child = spawn(process.execPath, ['--expose-gc', '--import', 'tsx/esm', '--input-type=module', '-e', HOLDER], {
      env: { ...process.env, LOCKED: path },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    const [line] = await once(child.stdout as NodeJS.ReadableStream, 'data');
    return [child, String(line).trim()];
  }

  async function killed(child: ChildProcess): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }

  it('refuses a file that is locked, until that lock is given back', async () => {
    const unlock = await lockFile(path);
    expect([typeof unlock, await lockFile(path), await lockFile(path)]).to.deep.equal([
      'function',
      undefined,
      undefined,
    ]);
    await unlock?.();
    const again = await lockFile(path);
    expect(again).to.be.a('function');
    await again?.();
  });

  it('makes the file for its owner only, and keeps one that is there as it is', async () => {
    const unlock = await lockFile(path);
    expect(statSync(path).mode & 0o777).to.equal(0o600);
    await unlock?.();
    writeFileSync(path, 'content');
    await (await lockFile(path))?.();
    expect(statSync(path).size).to.equal('content'.length);
  });

  it('locks each file by itself', async () => {
    const [one, other] = [await lockFile(path), await lockFile(join(root, 'other'))];
    expect([typeof one, typeof other]).to.deep.equal(['function', 'function']);
    await one?.();
    await other?.();
  });

  it('refuses a file that another process has locked, and gets it after that was killed', async () => {
    const [holder, told] = await another();
    expect([told, await lockFile(path)]).to.deep.equal(['taken', undefined]);
    await killed(holder);
    const unlock = await lockFile(path);
    expect(unlock).to.be.a('function');
    expect((await another())[1]).to.equal('refused');
    await unlock?.();
    expect((await another())[1]).to.equal('taken');
  });

  it('fails if there is no such folder', async () => {
    const failure = await lockFile(join(root, 'none', 'lock')).catch((error: unknown) => String(error));
    expect(failure).to.include('ENOENT');
  });
});
