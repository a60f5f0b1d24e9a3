import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { Db, Document } from 'mongodb';
// biome-ignore-start lint/style/noRestrictedImports: tests of a backend run on a real database, which hack starts
import { type Dump, dumpOf, restoreDump } from '../../hack/mongod/dump.js';
// biome-ignore-end lint/style/noRestrictedImports: as above
import type { Backend } from '../backend.js';
import { Cacher } from '../cacher/cacher.js';
import { Watch } from '../cacher/watch.js';
import { Engine } from '../engine/engine.js';
import { isStorageError } from '../errors.js';
import { expectCode } from '../testing/backend/fixture.js';
import { around } from '../testing/engine/around.js';
import { names } from '../testing/engine/foreign.js';
import { DEFINITIONS, FOLDERS, key } from '../testing/engine/resources.js';
import { type OwnDatabase, useOwnDatabase } from '../testing/mongodb.js';
import { objectDocument, textOf, wholeCommit } from './format/documents.js';

/** As `mongorestore --drop`. The log comes last, so that no server sees a part. */
const restore = (db: Db, dump: Dump): Promise<void> => restoreDump(db, dump, { last: 'changes' });

/** A server: its state, and what it writes. */
async function serverOn(own: OwnDatabase) {
  const backend = await own.open();
  const cacher = await Cacher.open(backend, { definitions: DEFINITIONS });
  const engine = new Engine(backend, cacher, { catchUpWithin: 500 });
  const create = (name: string) =>
    engine.transact({ run: (state) => void state.create(key(FOLDERS, name), { metadata: { name }, spec: {} }) });
  const close = async (): Promise<void> => {
    await engine.close();
    await cacher.close();
  };
  return { backend, cacher, engine, create, close };
}

type Server = Awaited<ReturnType<typeof serverOn>>;

/** The objects of the store, past every cache. */
async function stored(backend: Backend): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const chunk of backend.load(FOLDERS)) found.push(...chunk.map((one) => one.key));
  return found.map((one) => one.slice(one.lastIndexOf('/') + 1));
}

/** Waits until a server has loaded its state again. */
async function loadedAgain({ cacher }: Server): Promise<void> {
  while (cacher.logId === 0 || cacher.isDiverged) await sleep(20);
}

/** A copy in which commits wrote the objects, too. */
function ofFormat4(dump: Dump): Dump {
  const isOther = ({ _id }: Document): boolean => _id !== 'objects';
  const former = (document: Document): Document =>
    document['_id'] === 'domain' ? { ...document, format: 4 } : document;
  const objects = dump.get('changes')?.documents.flatMap(objectIn) ?? [];
  return new Map(
    [...dump, [FOLDERS, { documents: objects, indexes: [] }] as const].map(([name, { documents, indexes }]) => [
      name,
      { documents: documents.filter(isOther).map(former), indexes },
    ]),
  );
}

/** The object that a commit of the log has made. */
function objectIn({ _id, from, segment }: Document): readonly Document[] {
  if (typeof _id !== 'number') return [];
  const { changes } = wholeCommit({ _id }, [segment.buffer], from - 1);
  return changes.map((change) => objectDocument(change, textOf(change.value ?? new Uint8Array())));
}

describe('a database that is set back under running servers', function () {
  this.timeout(60_000);
  const own = useOwnDatabase('test');
  const running: Server[] = [];
  let a: Server;
  let dump: Dump;

  async function start(): Promise<Server> {
    const server = await serverOn(own());
    running.push(server);
    return server;
  }

  /** A server has written `old`, then the database was copied, then it has written `lost`. */
  beforeEach(async () => {
    a = await start();
    for (const name of ['old-1', 'old-2']) await a.create(name);
    dump = await dumpOf(own().db);
    for (const name of ['lost-1', 'lost-2', 'lost-3']) await a.create(name);
  });
  afterEach(async () => {
    for (const server of running.splice(0)) await server.close();
  });

  it('is noticed by a write, which writes nothing, and by all reads until it is loaded again', async () => {
    await restore(own().db, dump);
    await expectCode(a.create('ghost'), 'diverged');
    expect(await stored(a.backend)).to.deep.equal(['old-1', 'old-2']);
    await loadedAgain(a);
    await a.cacher.fresh();
    expect([a.cacher.revision, names(a.cacher)]).to.deep.equal([2, ['old-1', 'old-2']]);
    await a.create('new');
    expect(await stored(a.backend)).to.deep.equal(['new', 'old-1', 'old-2']);
  });

  it('is noticed by a read of the newest state, which is refused meanwhile', async () => {
    await restore(own().db, dump);
    await expectCode(a.cacher.fresh(), 'diverged');
    await expectCode(a.cacher.reach(1), 'diverged');
    await loadedAgain(a);
    await a.cacher.fresh();
    expect(names(a.cacher)).to.deep.equal(['old-1', 'old-2']);
  });

  it('is noticed without any request, and ends watches', async () => {
    const watch = new Watch(a.cacher, { resource: FOLDERS, after: 5, matches: () => true } as never);
    expect(watch.take()?.deliveries).to.deep.equal([]);
    await restore(own().db, dump);
    await loadedAgain(a);
    expect(names(a.cacher)).to.deep.equal(['old-1', 'old-2']);
    let error: unknown;
    try {
      watch.take();
    } catch (reason) {
      error = reason;
    }
    expect(isStorageError(error, 'compacted')).to.equal(true);
    watch.close();
  });

  it('is noticed once, however many writes and reads come while it is loaded again', async () => {
    await restore(own().db, dump);
    // Both appends begin before anything is known. One of them finds it out.
    const { state } = a.cacher;
    const changes = [{ key: key(FOLDERS, 'ghost'), revision: state.revision + 1, value: Buffer.from('{}') }];
    const batch = { parent: state.commitId, changes, counters: new Map<string, number>() };
    await Promise.all(
      ['x', 'y'].map((commitId) => expectCode(a.backend.append(state.revision, { ...batch, commitId }), 'diverged')),
    );
    const { logId } = a.backend;
    for (let i = 0; i < 20; i++) await expectCode(a.create(`ghost-${i}`), 'diverged');
    await expectCode(a.cacher.fresh(), 'diverged');
    await loadedAgain(a);
    expect([logId, a.backend.logId, a.cacher.logId]).to.deep.equal([1, 1, 1]);
  });

  it('is loaded when the restore has ended, although the log is there before the objects', async () => {
    const pause = () => sleep(400);
    await restoreDump(own().db, dump, { first: 'changes', afterEach: pause });
    await loadedAgain(a);
    await a.cacher.fresh();
    expect(names(a.cacher)).to.deep.equal(['old-1', 'old-2']);
  });

  for (const count of [2, 3, 6])
    it(`is noticed after another server has written ${count} changes after the old copy`, async () => {
      await restore(own().db, dump);
      const b = await start();
      for (let i = 0; i < count; i++) await b.create(`nine-${i}`);
      const written = await a.create('ghost').then(
        () => 'written',
        ({ code }) => code,
      );
      const expected = ['old-1', 'old-2', ...Array.from({ length: count }, (_, i) => `nine-${i}`)];
      // The state may have been loaded again already. Then the write is made on top of it.
      if (written === 'written') expected.push('ghost');
      else expect(written).to.be.oneOf(['diverged', 'unavailable']);
      await loadedAgain(a);
      await a.cacher.fresh();
      await b.cacher.fresh();
      for (const server of [a, b]) expect(names(server.cacher)).to.deep.equal(expected.sort());
      expect(await stored(b.backend)).to.deep.equal(expected);
    });

  it('refuses an append on top of a commit that the database does not have, at the same revision', async () => {
    const { state } = a.cacher;
    await a.close();
    running.splice(0);
    await restore(own().db, dump);
    const b = await start();
    for (const name of ['x', 'y', 'z']) await b.create(name);
    expect(b.cacher.revision).to.equal(state.revision);
    const c = await own().open();
    const change = { key: key(FOLDERS, 'ghost'), revision: state.revision + 1, value: Buffer.from('{}') };
    const batch = { commitId: 'of-c', parent: state.commitId, changes: [change], counters: new Map<string, number>() };
    await expectCode(c.append(state.revision, batch), 'diverged');
    expect(await stored(c)).to.not.include('ghost');
    const tail = c.tail(state.revision, new AbortController().signal, undefined, state.commitId);
    await expectCode(tail[Symbol.asyncIterator]().next(), 'diverged');
  });

  it('has objects that follow the log, also if the copy is of the format before', async () => {
    await restore(own().db, ofFormat4(dump));
    await loadedAgain(a);
    await a.create('new');
    expect(await stored(a.backend)).to.deep.equal(['new', 'old-1', 'old-2']);
    await a.backend.compact(3);
    expect(await a.backend.compacted()).to.equal(3);
    expect(await stored(a.backend)).to.deep.equal(['new', 'old-1', 'old-2']);
  });

  it('keeps the changes that its objects do not have, if the log ends where it did', async () => {
    dump = await dumpOf(own().db);
    expect(await a.backend.materialize?.()).to.equal(5);
    await restore(own().db, dump);
    await a.backend.compact(5);
    expect(await stored(a.backend)).to.have.length(5);
  });

  it('refuses to guess how far the objects are', async () => {
    await own().db.collection<{ _id: string }>('changes').deleteOne({ _id: 'objects' });
    await a.create('new');
    const failure = await stored(a.backend).catch(String);
    expect(failure).to.include('The document `objects` of the collection changes is missing');
    expect(await a.backend.compact(6).catch(({ code }) => code)).to.equal('unavailable');
  });

  it('has commits that name the commit they continue', async () => {
    const log = own().db.collection<{ _id: number; commit: string; parent: string }>('changes');
    const all = await log
      .find({ _id: { $gt: 1 } })
      .sort({ _id: 1 })
      .toArray();
    for (const { _id, parent } of all) expect(parent).to.equal(await a.backend.commitAt(_id - 1));
    expect(all).to.have.length(4);
    await a.backend.compact(3);
    const known = await Promise.all([2, 3, 4, 5, 6].map((at) => a.backend.commitAt(at)));
    expect(known).to.deep.equal([undefined, all[2]?.parent, all[2]?.commit, all[3]?.commit, undefined]);
  });
});

describe('a server that starts while its database is being restored', function () {
  this.timeout(60_000);
  const own = useOwnDatabase('test');
  let server: Pick<Server, 'backend' | 'cacher'> | undefined;
  let documents: Document[] = [];
  const folders = () => own().db.collection(FOLDERS);
  afterEach(async () => {
    await server?.cacher.close();
    server = undefined;
  });

  /** Three objects, and a collection that has only the first of them. The log is whole. */
  beforeEach(async () => {
    const former = await serverOn(own());
    for (const name of ['a', 'b', 'c']) await former.create(name);
    await former.backend.materialize?.();
    await former.close();
    documents = await folders().find().sort({ _id: 1 }).toArray();
    await folders().deleteMany({ _id: { $ne: documents[0]?.['_id'] } } as object);
  });

  /**
   * Starts a server. `work` runs when it has read the collection for the first time. The result is how often it has
   * read it.
   */
  async function startWhile(work: () => Promise<unknown>): Promise<number> {
    const backend = await own().open();
    let loads = 0;
    const busy = around(backend, {
      load: async function* (resource) {
        yield* backend.load(resource);
        if (resource === FOLDERS && loads++ === 0) await work();
      },
    });
    const cacher = await Cacher.open(busy, { definitions: DEFINITIONS });
    server = { backend, cacher };
    return loads;
  }

  it('waits until no more objects come, and loads all of them', async () => {
    let rest = Promise.resolve<unknown>(undefined);
    const loads = await startWhile(async () => {
      await folders().insertOne(documents[1] ?? {});
      rest = sleep(400).then(() => folders().insertOne(documents[2] ?? {}));
    });
    await rest;
    expect([loads, server && names(server.cacher)]).to.deep.equal([2, ['a', 'b', 'c']]);
  });

  it('loads once if the database only seems to have another number of objects', async () => {
    const isComplete = async (at: number, size: number) => server?.backend.isComplete?.(at, new Map([[FOLDERS, size]]));
    expect(await startWhile(async () => undefined)).to.equal(1);
    expect([await isComplete(3, 1), await isComplete(3, 2), await isComplete(3, 0)]).to.deep.equal([
      true,
      false,
      false,
    ]);
    // The log ends elsewhere, so the numbers belong to different states.
    expect([await isComplete(2, 2), await isComplete(4, 2)]).to.deep.equal([true, true]);
  });

  it('loads once if another server writes meanwhile', async () => {
    const loads = await startWhile(async () => {
      const other = await serverOn(own());
      await other.create('d');
      await other.close();
    });
    expect([loads, server && names(server.cacher)]).to.deep.equal([1, ['a', 'd']]);
  });
});
