import { copyFileSync, mkdirSync, rmSync, statfsSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Backend } from '../backend.js';
import { isStorageError } from '../errors.js';
import {
  batchOf,
  expectCode,
  expectGapFree,
  key,
  loadAll,
  plainStored,
  read,
  write,
} from '../testing/backend/fixture.js';
import { useSmallDisk } from '../testing/small-disk.js';
import { using } from '../testing/transfer/fixture.js';
import { openLmdb } from './open.js';
import { openLmdbSnapshot } from './snapshot.js';
import { openRootToRead } from './tables.js';

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

/** Takes all of a disk but so many bytes. Returns a function that gives them back. */
function leave(disk: string, bytes: number): () => void {
  const ballast = join(disk, 'ballast');
  const { bavail, bsize } = statfsSync(disk);
  writeFileSync(ballast, Buffer.alloc(bavail * bsize - bytes));
  return () => unlinkSync(ballast);
}

/** How many transactions LMDB has done in this folder. */
async function transactionsIn(path: string): Promise<number> {
  const root = openRootToRead(path);
  const { lastTxnId } = root.getStats() as { readonly lastTxnId: number };
  await root.close();
  return lastTxnId;
}

const KIB = 1024;
const value = 'v'.repeat(1000);

async function writeEach(store: Backend, names: readonly string[]): Promise<void> {
  for (const name of names) await write(store, [{ key: key(name), value }]);
}

const namesTo = (count: number): readonly string[] => Array.from({ length: count }, (_, i) => `n${i}`);

describe('lmdb: a disk that is almost full', () => {
  const disk = useSmallDisk(32);
  const opened = (name: string): Promise<Backend> => openLmdb({ path: join(disk(), name), domain: 'svc.app' });

  it('still has room for a deletion that keeps something in the trash', async () => {
    const store = await opened('trash');
    await writeEach(store, ['a', 'b']);
    await store.materialize?.();
    const free = leave(disk(), 3072 * KIB);
    await expectCode(write(store, [{ key: key('c'), value }]), 'unavailable');
    await write(store, [{ key: key('a', 'trash.x'), value }, { key: key('a') }]);
    free();
    await store.close();
    rmSync(join(disk(), 'trash'), { recursive: true });
  });

  it('still has room to remove what is in the objects already from the log, also if the rest finds none', async () => {
    const store = await opened('compacted');
    await writeEach(store, namesTo(100));
    await store.materialize?.();
    await writeEach(store, ['later']);
    const free = leave(disk(), 2000 * KIB);
    await expectCode(store.compact(101), 'unavailable');
    expect(await store.compacted()).to.equal(100);
    free();
    await store.compact(101);
    expect(await store.compacted()).to.equal(101);
    await store.close();
    rmSync(join(disk(), 'compacted'), { recursive: true });
  });

  it('takes a long rest of the log in steps for which it has room, and not one commit at a time', async () => {
    const store = await opened('rest');
    await writeEach(store, namesTo(400));
    const free = leave(disk(), 3072 * KIB);
    const before = await transactionsIn(join(disk(), 'rest'));
    expect(await store.materialize?.()).to.equal(400);
    expect((await transactionsIn(join(disk(), 'rest'))) - before).to.be.within(2, 60);
    free();
    await store.close();
    rmSync(join(disk(), 'rest'), { recursive: true });
  });

  it('keeps the room that the log owes the objects also after a crash', async () => {
    const large = (name: string) => [{ key: key(name), value: Buffer.alloc(64 * KIB, 'v') }];
    const store = await opened('before');
    for (const name of namesTo(64)) await write(store, large(name));
    mkdirSync(join(disk(), 'after'));
    copyFileSync(join(disk(), 'before', 'data.mdb'), join(disk(), 'after', 'data.mdb'));
    await store.close();
    rmSync(join(disk(), 'before'), { recursive: true });
    const crashed = await opened('after');
    const free = leave(disk(), 7 * KIB * KIB);
    for (let n = 0; n < 40; n++) await write(crashed, large(`later${n}`)).catch(() => undefined);
    expect(await crashed.materialize?.()).to.equal(await crashed.end());
    free();
    await crashed.close();
  });
});

describe('lmdb: a disk that was filled and emptied', function () {
  this.timeout(60_000);
  const disk = useSmallDisk(28);

  /** Writes until the disk is full. Returns how many times. */
  async function untilFull(work: (n: number) => Promise<unknown>): Promise<number> {
    for (let n = 0; ; n++) {
      try {
        await work(n);
      } catch (error) {
        if (!isStorageError(error, 'unavailable')) throw error;
        return n;
      }
    }
  }

  it('can be compacted after the last deletion that found room, and takes deletions and writes again', async () => {
    const store = await openLmdb({ path: join(disk(), 'data'), domain: 'svc.app' });
    const wishes = (n: number) => Array.from({ length: 10 }, (_, i) => ({ key: key(`n${n * 10 + i}`), value }));
    const created = await untilFull((n) => write(store, wishes(n)));
    const removed = await untilFull((n) => write(store, [{ key: key(`n${n}`) }]));
    expect([created, removed]).to.satisfy(([a, b]: readonly number[]) => Number(a) > 100 && Number(b) > 100);
    await store.compact((await store.end()) - 1);
    const left = (await loadAll(store)).map(({ key }) => ({ key }));
    for (let from = 0; from < left.length; from += 50) await write(store, left.slice(from, from + 50));
    await store.compact((await store.end()) - 1);
    expect(await untilFull((n) => write(store, wishes(n)))).to.be.greaterThan(100);
    await store.close();
    rmSync(join(disk(), 'data'), { recursive: true });
  });

  it('does not count on room that a backup still reads, so that it has some when the backup has ended', async () => {
    const path = join(disk(), 'backed-up');
    const store = await openLmdb({ path, domain: 'svc.app' });
    const wishes = (n: number) => Array.from({ length: 10 }, (_, i) => ({ key: key(`n${n * 10 + i}`), value }));
    const compacted = async (): Promise<void> => store.compact((await store.end()) - 1);
    await untilFull((n) => write(store, wishes(n)));
    await untilFull((n) => write(store, [{ key: key(`n${n}`) }]));
    await using(openLmdbSnapshot(path), async () => {
      for (let i = 0; i < 2; i++) {
        await compacted().catch(() => undefined);
        await untilFull((n) => write(store, wishes(n)));
        await untilFull((n) => write(store, [{ key: key(`n${n}`) }]));
      }
    });
    await compacted();
    expect(await untilFull((n) => write(store, wishes(n)))).to.be.greaterThan(100);
    await store.close();
  });
});
