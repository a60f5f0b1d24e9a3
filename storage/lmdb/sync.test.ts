import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';

const APPENDS = 5;
/** Prints a line before and after the appends, whose system calls are in between. */
const PROGRAM = `
  import { writeSync } from 'node:fs';
  const { openLmdb } = await import(process.argv[1]);
  const backend = await openLmdb({ path: process.argv[2], domain: 'svc.app' });
  for (let end = 0; end < ${APPENDS}; end++) {
    writeSync(1, 'before\\n');
    const change = { key: 'folders.x/default/n' + end, revision: end + 1, value: Buffer.from('{}') };
    await backend.append(end, { commitId: 'c' + end, changes: [change], counters: new Map() });
    writeSync(1, 'durable\\n');
  }
  process.exit(0);`;

describe('lmdb: append', () => {
  it('resolves only after its data is flushed to disk', async function () {
    if (spawnSync('strace', ['-e', 'trace=none', 'true']).status !== 0) this.skip();
    const path = await mkdtemp(join(tmpdir(), 'lmdb-sync.'));
    const trace = join(path, 'trace');
    const open = new URL('./open.ts', import.meta.url).href;
    const node = [process.execPath, '--import', 'tsx/esm', '--input-type=module', '-e', PROGRAM, open, join(path, 'd')];
    const ran = spawnSync('strace', ['-f', '-e', 'trace=write,fdatasync,fsync,msync', '-o', trace, ...node]);
    expect(ran.status, String(ran.stderr)).to.equal(0);
    const [, ...appends] = (await readFile(trace, 'utf8')).split('"before\\n"');
    expect(appends).to.have.length(APPENDS);
    for (const calls of appends) expect(calls.split('"durable\\n"')[0]).to.match(/ (fdatasync|fsync|msync)\(/);
    await rm(path, { recursive: true });
  });
});
