import { expect } from 'chai';
import { MongoNetworkError } from 'mongodb';
import type { Backend, Batch, Revision } from '../backend.js';
import { isStorageError } from '../errors.js';
import { loadAll } from '../testing/backend/fixture.js';
import { created, type OwnDatabase, ownDatabase } from '../testing/mongodb.js';
import { MongodbBackend } from './backend.js';
import { LogFollower } from './follow/log-follower.js';

const RESOURCE = 'notes.tests.svc.app';
const { key } = created(1);
const batchOf = (after: Revision): Batch => ({
  commitId: `c${after}-${Math.random()}`,
  changes: [created(after + 1)],
  counters: new Map(),
});

/** Every call that answers. */
const CALLS: Readonly<Record<string, (backend: Backend) => Promise<unknown>>> = {
  end: (backend) => backend.end(),
  append: (backend) => backend.append(0, batchOf(0)),
  load: (backend) => loadAll(backend, RESOURCE),
  counters: (backend) => backend.counters(),
  get: (backend) => backend.get([key]),
  revisionBefore: (backend) => backend.revisionBefore(1),
  compacted: (backend) => backend.compacted(),
  compact: (backend) => backend.compact(1),
  materialize: async (backend) => backend.materialize?.(),
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
    const database = await own.connect({ timeouts: { settle: 0 } });
    const failing = new MongodbBackend(database);
    const fail = (): never => {
      throw new MongoNetworkError('no answer');
    };
    Object.assign(database, { read: fail, startReading: fail, admin: fail, ensure: fail, command: fail });
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
    await new LogFollower(database, {} as never, {} as never).look();
    const behind = database.startReading();
    expect(behind.operationTime).not.to.equal(undefined);
    await behind.endSession();
  });

  it('can be to close it, more than once', async () => {
    await Promise.all([backend.close(), backend.close()]);
    await backend.close();
  });
});
