import { expect } from 'chai';
import type { Backend, Put } from '../backend.js';
import { Cacher } from '../cacher/cacher.js';
import { Engine } from '../engine/engine.js';
import { isStorageError, type StorageError } from '../errors.js';
import { keyOf } from '../key.js';
import { batchOf, expectGapFree, key, loadAll, read, write } from '../testing/backend/fixture.js';
import { told } from '../testing/engine/fixture.js';
import { create, DEFINITIONS, FOLDERS, objectAt } from '../testing/engine/resources.js';
import { failureOf } from '../testing/transfer/fixture.js';
import { LmdbBackend } from './backend.js';
import { commit } from './commit.js';
import { openExclusively } from './lock.js';
import { endOf, logKey } from './log.js';
import { planAppend } from './plan.js';
import { type LmdbTables, META, openLmdbTables, openRoot, versionOf } from './tables.js';
import { eachFolder, intrude, withStore, withTables, writingWith } from './testing/folder.js';

const put = (revision: number, bytes = 1): Put => ({
  key: key(`n${revision}`),
  revision,
  value: Buffer.alloc(bytes, 'v'),
});

async function errorOf(work: Promise<unknown>): Promise<StorageError> {
  const error: unknown = await work.catch((error: unknown) => error);
  if (isStorageError(error)) return error;
  throw new Error(`it did not fail as a store does: ${String(error)}`);
}

describe('lmdb: writes beside another writer', () => {
  const folder = eachFolder();

  it('are refused from then on, and write nothing, but what is there can be read', async () => {
    await withStore(folder(), async (backend) => {
      await write(backend, [{ key: key('a'), value: '1' }]);
      await intrude(folder(), 1);
      expect(await backend.end()).to.equal(2);
      const error = await errorOf(backend.append(1, batchOf([put(2)])));
      expect([error.code, error.cause]).to.deep.equal(['unavailable', undefined]);
      expect(error.message).to.include(folder()).and.include('another process has written to it');
      expect(await errorOf(backend.append(1, batchOf([put(2)])))).to.equal(error);
      expect(await errorOf(backend.compact(1))).to.equal(error);
      expect((await loadAll(backend)).map((one) => one.key)).to.deep.equal([key('a'), key('intruder')]);
    });
  });
});

describe('lmdb: a change of another writer', () => {
  const folder = eachFolder();

  it('ends the writes, but is served, and a refusal does not wait for it', async () => {
    await withStore(folder(), async (backend) => {
      const cacher = await Cacher.open(backend, { definitions: DEFINITIONS });
      const engine = new Engine(backend, cacher);
      await engine.transact(create(FOLDERS, 'a'));
      const at = keyOf(FOLDERS, 'default', 'theirs');
      const other = openRoot(folder());
      const operations = await planAppend(
        1,
        batchOf([{ key: at, revision: 2, value: Buffer.from(JSON.stringify(objectAt(at, {}))) }]),
        { end: 2, at: 0, commit: 'theirs' },
      );
      expect(await commit(openLmdbTables(other), 1, operations)).to.equal(true);
      await other.close();
      expect(await told(engine.transact(create(FOLDERS, 'a')))).to.equal('exists');
      expect(cacher.revision).to.equal(2);
      expect(await told(engine.transact(create(FOLDERS, 'b')))).to.equal('unavailable');
      await engine.close();
      await cacher.close();
    });
  });
});

describe('lmdb: the only writer', () => {
  const folder = eachFolder();

  it('does not wait for the turns of others', () =>
    withStore(folder(), async (backend) => {
      expect([backend.shared, backend.turn]).to.deep.equal([false, undefined]);
    }));
});

describe('lmdb: writes to a disk that fails', () => {
  const folder = eachFolder();

  /** A backend whose next commit fails with this error. */
  async function failingOnce(error: Error, work: (backend: Backend) => Promise<void>): Promise<void> {
    await withStore(folder(), async () => undefined);
    const { tables, release } = openExclusively(folder());
    let failure: Error | undefined = error;
    const spoiled = writingWith(tables, async () => {
      if (failure === undefined) return tables.meta.ifVersion(META.end, versionOf(0), () => undefined);
      const thrown = failure;
      failure = undefined;
      throw thrown;
    });
    const backend = new LmdbBackend(spoiled, { path: folder(), now: () => 0, release });
    await work(backend);
    await backend.close();
  }

  it('are of unknown outcome, and are refused from then on', async () => {
    const cause = Object.assign(new Error('bad sector'), { code: 30 });
    await failingOnce(cause, async (backend) => {
      const first = await errorOf(backend.append(0, batchOf([put(1)])));
      expect(first).to.include({ code: 'unknown', cause });
      const second = await errorOf(backend.append(0, batchOf([put(1)])));
      expect(second).to.include({ code: 'unavailable', cause: first });
      expect(second.message).to.include('its disk failed').and.include('Restart the server');
      expect(await backend.end()).to.equal(0);
    });
  });

  it('can be read if they are visible nevertheless, and nothing waits for them without end', async () => {
    await withStore(folder(), async () => undefined);
    const { tables, release } = openExclusively(folder());
    let commits = 0;
    const { meta } = tables;
    const spoiled = writingWith(tables, async (...args) => {
      const isDone = await meta.ifVersion(...args);
      if (++commits === 2) throw Object.assign(new Error('Input/output error'), { code: 5 });
      return isDone;
    });
    const backend = new LmdbBackend(spoiled, { path: folder(), now: () => 0, release });
    const cacher = await Cacher.open(backend, { definitions: DEFINITIONS });
    const engine = new Engine(backend, cacher);
    expect(await told(engine.transact(create(FOLDERS, 'a')))).to.deep.equal([1]);
    const others = [create(FOLDERS, 'b'), create(FOLDERS, 'b')].map((one) => told(engine.transact(one)));
    expect(await Promise.all(others)).to.deep.equal(['unknown', 'unavailable']);
    expect(await told(engine.transact(create(FOLDERS, 'c')))).to.equal('unavailable');
    expect(await told(engine.transact(create(FOLDERS, 'b')))).to.equal('exists');
    expect([cacher.revision, await backend.end()]).to.deep.equal([2, 2]);
    await engine.close();
    await cacher.close();
    await backend.close();
  });

  it('write nothing if it is full, and are accepted again', async () => {
    await failingOnce(Object.assign(new Error('no space'), { code: 28 }), async (backend) => {
      expect(await errorOf(backend.append(0, batchOf([put(1)])))).to.include({ code: 'unavailable' });
      await backend.append(0, batchOf([put(1)]));
      expect(await backend.end()).to.equal(1);
    });
  });
});

describe('lmdb: the objects', () => {
  const folder = eachFolder();

  it('follow the log to its end at the call, by one transaction, and not each commit that comes meanwhile', async () => {
    await withStore(folder(), async () => undefined);
    const { tables, release } = openExclusively(folder());
    let transactions = 0;
    const { meta } = tables;
    const counted = writingWith(tables, (...args) => {
      transactions++;
      return meta.ifVersion(...args);
    });
    const backend = new LmdbBackend(counted, { path: folder(), now: () => 0, release });
    const append = (revision: number) => backend.append(revision - 1, batchOf([put(revision)]));
    for (let revision = 1; revision <= 10; revision++) await append(revision);
    const materialized = backend.materialize();
    for (let revision = 11; revision <= 30; revision++) await append(revision);
    expect(await materialized).to.be.within(10, 11);
    expect(transactions).to.equal(30 + 1);
    await backend.close();
    await withTables(folder(), async ({ objects }) => expect(objects.getKeysCount()).to.equal(30));
  });
});

describe('lmdb: a large batch', () => {
  const folder = eachFolder();

  /** How many turns the event loop took before the batch was looked at. */
  const turnsBefore = (changes: readonly Put[]): Promise<number> =>
    withStore(folder(), async (backend) => {
      let [turns, before, isOver] = [0, -1, false];
      const count = (): void => {
        turns++;
        if (!isOver) setImmediate(count);
      };
      const [first, ...others] = changes;
      const looked = {
        ...(first ?? put(1)),
        get key() {
          if (before < 0) before = turns;
          return key('first');
        },
      };
      setImmediate(count);
      await backend.append(await backend.end(), batchOf([looked, ...others]));
      isOver = true;
      return before;
    });

  it('lets the event loop take a turn first, and a small one does not', async () => {
    const removals = (count: number) =>
      Array.from({ length: count }, (_, i) => ({ key: key('gone'), revision: i + 1 }));
    for (const [count, turns] of [
      [1, 0],
      [999, 0],
      [1000, 1],
    ] as const) {
      expect(await turnsBefore(removals(count))).to.equal(turns);
    }
  });

  it('is large by its bytes, too', async () => {
    const quarter = 64 * 1024;
    const bytes = (last: number) => [quarter, quarter, 0, quarter, last].map((size, i) => put(i + 1, size));
    expect(await turnsBefore([...bytes(quarter - 1), { key: key('gone'), revision: 6 }])).to.equal(0);
    expect(await turnsBefore(bytes(quarter))).to.equal(1);
  });
});

describe('lmdb: compaction', () => {
  const folder = eachFolder();
  const fill = (backend: Backend, count: number): Promise<void> =>
    (async () => {
      for (let i = 0; i < count; i++) await write(backend, [{ key: key('a'), value: `${i}` }]);
    })();
  const logged = ({ log }: LmdbTables): readonly number[] => [...log.getKeys()].map((one) => endOf(one));

  it('removes every record up to its point from the disk, however many they are', async () => {
    await withStore(folder(), async (backend) => {
      await fill(backend, 300);
      await backend.compact(298);
    });
    await withTables(folder(), async (tables) => {
      expect(logged(tables)).to.deep.equal([299, 300]);
      expect(tables.meta.get(META.compacted)).to.equal(298);
    });
  });

  it('removes what an earlier one left behind when the process crashed', async () => {
    await withStore(folder(), (backend) => fill(backend, 5));
    await withTables(folder(), (tables) => tables.meta.put(META.compacted, 3, 1));
    await withStore(folder(), async (backend) => {
      expect(await backend.compacted()).to.equal(3);
      await backend.compact(3);
    });
    await withTables(folder(), async (tables) => expect(logged(tables)).to.deep.equal([4, 5]));
  });

  it('lets appends run in between, and ends when the store is closed', async () => {
    await withStore(folder(), async (backend) => {
      await fill(backend, 300);
      const compacting = backend.compact(300).then(() => 'compacted');
      const appending = write(backend, [{ key: key('b'), value: '1' }]).then(() => 'appended');
      expect(await Promise.race([compacting, appending])).to.equal('appended');
      const closing = backend.close();
      await compacting;
      await closing;
    });
    await withStore(folder(), async (backend) => {
      expect([await backend.compacted(), await backend.end()]).to.deep.equal([300, 301]);
      expectGapFree(await read(backend, 300, 301), 300);
    });
    await withTables(folder(), async (tables) => expect(logged(tables).length).to.be.above(1));
  });

  it('stops when the store is closed, and leaves the rest to the next one', async () => {
    await withStore(folder(), async (backend) => {
      await fill(backend, 5);
      const compacting = backend.compact(4);
      await Promise.all([backend.close(), compacting]);
      expect(await failureOf(backend.compact(5))).to.include('The store is closed');
    });
    await withTables(folder(), async (tables) => expect(logged(tables)).to.include(5));
  });
});

describe('lmdb: a tail', () => {
  const folder = eachFolder();

  it('fails as damaged if the log lacks a change, and does not wait for it', async () => {
    await withStore(folder(), (backend) => write(backend, [{ key: key('a'), value: '1' }]));
    await withTables(folder(), (tables) => tables.log.remove(logKey(1, 0)));
    await withStore(folder(), async (backend) => {
      expect(await failureOf(read(backend, 0, 1))).to.include('is damaged');
    });
  });
});
