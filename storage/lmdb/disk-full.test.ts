import { unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Backend } from '../backend.js';
import { isStorageError } from '../errors.js';
import { batchOf, expectGapFree, key, loadAll, plainStored, read, write } from '../testing/backend/fixture.js';
import { useSmallDisk } from '../testing/small-disk.js';
import { openLmdb } from './open.js';

describe('lmdb: disk full', () => {
  let backend: Backend | undefined;
  after(() => backend?.close());
  const disk = useSmallDisk();

  it('fails as unavailable and writes nothing, still reads, and writes again once there is space', async () => {
    const path = join(disk(), 'data');
    const ballast = join(disk(), 'ballast');
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

  it('does not count what is in the objects already, although appends never pause', async () => {
    const store = await openLmdb({ path: join(disk(), 'busy'), domain: 'svc.app' });
    const value = Buffer.from('{}');
    // The objects of a batch may need 2.3 MiB.
    for (let after = 0; after < 2000; after += 100) {
      const changes = Array.from({ length: 100 }, (_, i) => ({ key: key(`n${i}`), revision: after + i + 1, value }));
      await Promise.all([store.append(after, batchOf(changes)), store.materialize?.()]);
    }
    expect(await store.end()).to.equal(2000);
    await store.close();
  });

  it('carries the log into the objects when a write finds no room, so that more objects fit, and their removal', async () => {
    const store = await openLmdb({ path: join(disk(), 'owing'), domain: 'svc.app' });
    const names: string[] = [];
    try {
      for (let n = 0; ; n++) {
        await write(store, [{ key: key(`n${n}`), value: 'v'.repeat(300) }]);
        names.push(`n${n}`);
      }
    } catch (error) {
      if (!isStorageError(error, 'unavailable')) throw error;
    }
    expect(names.length).to.be.greaterThan(1000);
    for (const name of names) await write(store, [{ key: key(name) }]);
    expect(await loadAll(store)).to.deep.equal([]);
    await store.close();
  });
});
