import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmdirSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Backend } from '../backend.js';
import { isStorageError } from '../errors.js';
import { expectGapFree, key, loadAll, plainStored, read, write } from '../testing/backend/fixture.js';
import { openLmdb } from './open.js';

/** A separate disk of 12 MiB; undefined if this user may not mount one. */
function smallDisk(): string | undefined {
  const path = mkdtempSync(join(tmpdir(), 'lmdb-full.'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=12m', 'tmpfs', path], { stdio: 'ignore' });
    return path;
  } catch {
    rmdirSync(path);
    return undefined;
  }
}

describe('lmdb: disk full', () => {
  let disk: string | undefined;
  let backend: Backend | undefined;
  before(function () {
    disk = smallDisk();
    if (disk !== undefined) return;
    if (process.env['CI'] === 'true')
      throw new Error('This test mounts a small tmpfs, which takes root: run CI as root.');
    console.log('      skipped: only root can mount the small disk that is to be filled');
    this.skip();
  });
  after(async () => {
    await backend?.close();
    if (disk === undefined) return;
    execFileSync('umount', [disk]);
    rmSync(disk, { recursive: true });
  });

  it('fails as unavailable and writes nothing, still reads, and writes again once there is space', async () => {
    const path = join(disk as string, 'data');
    const ballast = join(disk as string, 'ballast');
    writeFileSync(ballast, Buffer.alloc(3 * 1024 * 1024, 'x'));
    backend = await openLmdb({ path, domain: 'svc.app' });
    let end = 0;
    let failures = 0;
    const fill = async (store: Backend): Promise<void> => {
      try {
        for (;;) {
          const wishes = [0, 1, 2].map((i) => ({ key: key(`n${end}-${i}`), value: 'v'.repeat(20_000) }));
          end = await write(store, wishes, { teams: end + 3 });
        }
      } catch (error) {
        if (!isStorageError(error, 'unavailable')) throw error;
        expect(error.message).to.include(path).and.include('full');
        failures++;
      }
    };
    const expectWhole = async (store: Backend): Promise<void> => {
      expect(await store.end()).to.equal(end);
      expect((await loadAll(store)).length).to.equal(end);
      expect((await store.counters()).get('teams')).to.equal(end);
      expectGapFree(await read(store, 0, end), 0);
    };
    for (let i = 0; i < 3; i++) await fill(backend);
    expect(failures).to.equal(3);
    expect(end).to.be.greaterThan(20);
    await expectWhole(backend);
    unlinkSync(ballast);
    end = await write(
      backend,
      [0, 1, 2].map((i) => ({ key: key(`after-${i}`), value: 'v' })),
      { teams: end + 3 },
    );
    await expectWhole(backend);
    const before = (await loadAll(backend)).map(plainStored);
    await backend.close();
    backend = await openLmdb({ path, domain: 'svc.app' });
    await expectWhole(backend);
    expect((await loadAll(backend)).map(plainStored)).to.deep.equal(before);
  });
});
