import { expect } from 'chai';
import { MongoNetworkError } from 'mongodb';
import type { Backend, Batch, Revision } from '../backend.js';
import { isStorageError } from '../errors.js';
import { loadAll } from '../testing/backend/fixture.js';
import { created, type OwnDatabase, ownDatabase } from '../testing/mongodb.js';
import { askForTurn } from './ask.js';
import { MongodbBackend } from './backend.js';
import { Pulse } from './pulse.js';

const RESOURCE = 'notes.tests.svc.app';
const { key } = created(1);
const batchOf = (after: Revision): Batch => ({
  commit: `c${after}-${Math.random()}`,
  changes: [created(after + 1)],
  counters: new Map(),
});

/** Every call that answers. */
const CALLS: Readonly<Record<string, (backend: Backend) => Promise<unknown>>> = {
  end: (backend) => backend.end(),
  seen: async (backend) => backend.seen?.(),
  append: (backend) => backend.append(0, batchOf(0)),
  load: (backend) => loadAll(backend, RESOURCE),
  counters: (backend) => backend.counters(),
  get: (backend) => backend.get([key]),
  range: (backend) => backend.range(RESOURCE, { from: RESOURCE, to: '~', limit: 1 }),
  counts: (backend) => backend.counts(RESOURCE, { index: 'i', from: '', to: '~', limit: 1 }),
  revisionBefore: (backend) => backend.revisionBefore(1),
  compacted: (backend) => backend.compacted(),
  compact: (backend) => backend.compact(1),
};

async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'none',
    (error: unknown) => {
      if (!isStorageError(error)) return `no StorageError: ${error}`;
      return `${error.code}: ${error.message}${error.cause instanceof Error ? ` (${error.cause.message})` : ''}`;
    },
  );
}

describe('a call of the store on MongoDB', function () {
  this.timeout(60_000);
  let own: OwnDatabase;
  let backend: Backend;
  before(async function () {
    own = await ownDatabase(this);
  });
  after(() => own.close());
  beforeEach(async () => {
    backend = new MongodbBackend(await own.connect());
  });
  afterEach(() => backend.close());

  it('is refused when the store is closed', async () => {
    await backend.close();
    for (const call of Object.values(CALLS)) {
      expect(await codeOf(call(backend))).to.equal('closed: The store is closed.');
    }
  });

  it('tells that the database is unavailable, if it does not answer', async () => {
    const database = await own.connect();
    const failing = new MongodbBackend(database);
    const fail = (): never => {
      throw new MongoNetworkError('no answer');
    };
    Object.assign(database, { read: fail, startReading: fail, admin: fail, ensure: fail });
    for (const [name, call] of Object.entries(CALLS)) {
      expect(await codeOf(call(failing)), name).to.equal('unavailable: MongoDB is unavailable: no answer. (no answer)');
    }
    await failing.close();
  });

  it('tells that the store was closed, if it was closed meanwhile', async () => {
    const database = await own.connect();
    const closing = new MongodbBackend(database);
    database.read = async () => {
      await closing.close();
      throw new MongoNetworkError('the connection was closed');
    };
    expect(await codeOf(closing.get([key]))).to.equal(
      'closed: The store was closed in the meantime. (the connection was closed)',
    );
  });

  it('for the end gives up when its signal aborts, before or while it waits, and leaves no listener', async () => {
    expect(await codeOf(backend.end(AbortSignal.abort(new Error('late'))))).to.equal(
      'unavailable: The caller gave up waiting. (late)',
    );
    const stop = new AbortController();
    const listeners = new Set<unknown>();
    const { signal } = stop;
    const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
    signal.addEventListener = ((type: 'abort', listener: () => void, options: object) => {
      listeners.add(listener);
      add(type, listener, options);
    }) as typeof signal.addEventListener;
    signal.removeEventListener = ((type: 'abort', listener: () => void) => {
      listeners.delete(listener);
      remove(type, listener);
    }) as typeof signal.removeEventListener;
    expect(await backend.end(signal)).to.be.a('number');
    expect(listeners.size).to.equal(0);
    const waiting = codeOf(backend.end(signal));
    expect(listeners.size).to.equal(1);
    stop.abort(new Error('gone'));
    expect(await waiting).to.equal('unavailable: The caller gave up waiting. (gone)');
    expect(await backend.end(new AbortController().signal)).to.be.a('number');
  });

  it('has seen no more than those after it will see', async () => {
    const { append, ...others } = CALLS;
    await append?.(backend);
    for (const [name, call] of Object.entries(others)) {
      const database = await own.connect();
      const asked = new MongodbBackend(database);
      const before = database.startReading();
      expect(before.operationTime, name).to.equal(undefined);
      await call(asked);
      const behind = database.startReading();
      expect(behind.operationTime, name).not.to.equal(undefined);
      await Promise.all([before, behind].map((session) => session.endSession()));
      await asked.close();
    }
    const database = await own.connect();
    await new Pulse(database, {} as never, {} as never).look();
    const behind = database.startReading();
    expect(behind.operationTime).not.to.equal(undefined);
    await behind.endSession();
  });

  it('can be to close it, more than once', async () => {
    await Promise.all([backend.close(), backend.close()]);
    await backend.close();
  });

  it('is answered once for several that ask what was seen', async () => {
    const database = await own.connect();
    const counting = new MongodbBackend(database);
    let reads = 0;
    const { read } = database;
    database.read = async (work) => {
      reads++;
      return read.call(database, work) as ReturnType<typeof work>;
    };
    const seen = await Promise.all([1, 2, 3].map(() => counting.seen?.()));
    expect(new Set(seen)).to.deep.equal(new Set([await backend.end()]));
    expect(reads).to.equal(1);
    await counting.close();
  });
});

describe('a turn on MongoDB', function () {
  this.timeout(60_000);
  let own: OwnDatabase;
  beforeEach(async function () {
    own = await ownDatabase(this);
  });
  afterEach(() => own.close());

  const asked = async (): Promise<unknown> => (await own.database.log.findOne({ _id: 'log' }))?.asked;

  it('is asked for by a server that another one was faster than, and not again', async () => {
    const [a, b] = [await own.open(), await own.open()];
    await a.append(0, batchOf(0));
    expect(await codeOf(b.append(0, batchOf(0)))).to.match(/^behind/);
    while ((await asked()) === undefined) await new Promise(setImmediate);
    const first = await asked();
    expect(first).to.match(/^[\w-]{36} [\w-]{36}$/);
    expect(await codeOf(b.append(0, batchOf(0)))).to.match(/^behind/);
    await b.end();
    expect(await asked()).to.equal(first);
  });

  it('is at once for a server that is alone, and tells what the log has reached', async () => {
    const server = await own.open();
    expect(await server.turn?.()).to.equal(0);
    await server.append(0, { ...batchOf(0), changes: [created(1), created(2)] });
    expect(await server.turn?.()).to.equal(2);
    expect(server.shared).to.equal(true);
  });

  it('is asked for with the name of the server, each time with another text, and without an error', async () => {
    await askForTurn(own.database, 'me');
    const first = await asked();
    await askForTurn(own.database, 'me');
    expect([String(first), String(await asked())].map((text) => text.slice(0, 3))).to.deep.equal(['me ', 'me ']);
    expect(await asked()).not.to.equal(first);
    const failing = { log: { updateOne: () => Promise.reject(new Error('no primary')) } };
    await askForTurn(failing as never, 'me');
  });
});

describe('compaction on MongoDB', function () {
  this.timeout(60_000);
  let own: OwnDatabase;
  before(async function () {
    own = await ownDatabase(this);
  });
  after(() => own.close());

  it('removes what this server remembers, too', async () => {
    const server = await own.open();
    await server.append(0, batchOf(0));
    await server.append(1, batchOf(1));
    await server.compact(1);
    const stop = new AbortController();
    const next = server.tail(0, stop.signal)[Symbol.asyncIterator]().next();
    expect(await codeOf(next)).to.match(/^compacted: The changes after 0 were removed: the log starts after 1\.$/);
  });
});
