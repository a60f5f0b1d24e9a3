import { expect } from 'chai';
import { Binary, type ClientSession, Long, MongoClient, MongoServerError, Timestamp } from 'mongodb';
import { useOwnDatabase } from '../../testing/mongodb.js';
import { Database } from './database.js';
import { TIMEOUTS } from './options.js';

/** A database that nobody has connected to. */
function unconnected(): Database {
  return new Database(new MongoClient('mongodb://127.0.0.1:9/'), 'x', TIMEOUTS);
}

describe('the times that a server has heard of', () => {
  const [early, late] = [3, 5].map((t) => new Timestamp({ t, i: 1 })) as [Timestamp, Timestamp];

  async function reading(database: Database): Promise<ClientSession> {
    const session = database.startReading();
    await session.endSession();
    return session;
  }

  it('are those that its reads see at least: of the operations, the latest one', async () => {
    const database = unconnected();
    expect((await reading(database)).operationTime).to.equal(undefined);
    for (const [heard, latest] of [
      [early, early],
      [late, late],
      [early, late],
    ] as const) {
      database.reached(heard);
      expect((await reading(database)).operationTime).to.equal(latest);
    }
  });

  it('have that of the cluster, also after a time without one', async () => {
    const database = unconnected();
    const clusterTime = { clusterTime: late, signature: { hash: new Binary(Buffer.alloc(20)), keyId: Long.ZERO } };
    database.advance({ operationTime: early, clusterTime } as unknown as ClientSession);
    database.reached(late);
    const session = await reading(database);
    expect(session.clusterTime).to.equal(clusterTime);
    expect(session.operationTime).to.equal(late);
  });
});

describe('a read of MongoDB', () => {
  it('ends its session, also if it fails', async () => {
    const database = unconnected();
    const sessions: ClientSession[] = [];
    const work = async (session: ClientSession): Promise<string> => {
      sessions.push(session);
      if (sessions.length === 2) throw new Error('failed');
      return 'found';
    };
    expect(await database.read(work)).to.equal('found');
    expect(await database.read(work).catch((error: Error) => error.message)).to.equal('failed');
    expect(sessions.map(({ hasEnded }) => hasEnded)).to.deep.equal([true, true]);
  });
});

describe('the collections of MongoDB', () => {
  /** A database that tells which collections are made and removed. */
  function noting(failure?: Error) {
    const told: string[] = [];
    const db = {
      createCollection: async (name: string): Promise<void> => {
        told.push(`made ${name}`);
        if (failure) throw failure;
      },
      dropCollection: async (name: string): Promise<void> => {
        told.push(`removed ${name}`);
      },
    };
    return { told, database: new Database({ db: () => db } as never, 'x', TIMEOUTS) };
  }
  const failureWith = (code: number): Error => new MongoServerError({ message: 'failed', code });

  it('are made once, and again after some were removed', async () => {
    const { database, told } = noting();
    await database.ensure(['a', 'b', 'a']);
    await database.ensure(['b', 'c']);
    expect(told).to.deep.equal(['made a', 'made b', 'made c']);
    await database.drop(['a', 'c']);
    await database.ensure(['a']);
    expect(told.slice(3)).to.deep.equal(['removed a', 'removed c', 'made a']);
  });

  it('may be made by another server meanwhile', async () => {
    const { database, told } = noting(failureWith(48));
    await database.ensure(['a']);
    await database.ensure(['a']);
    expect(told).to.deep.equal(['made a']);
  });

  it('are not taken for made after another failure', async () => {
    const { database, told } = noting(failureWith(13));
    for (let tries = 0; tries < 2; tries++) {
      expect(await database.ensure(['a']).catch((error: Error) => error.message)).to.equal('failed');
    }
    expect(told).to.deep.equal(['made a', 'made a']);
  });
});

describe('a database of MongoDB', function () {
  this.timeout(60_000);
  const own = useOwnDatabase('test');

  it('has its collections and indexes before anything is written', async () => {
    await own().db.dropDatabase();
    await own().database.ensureOwn();
    expect([...(await own().database.collections())].sort()).to.deep.equal(['changes', 'log', 'servers', 'staged']);
    const indexesOf = (name: string) => own().db.collection(name).indexes();
    expect((await indexesOf('staged')).map(({ key }) => key)).to.deep.equal([{ _id: 1 }, { change: 1 }]);
    // A server that has stopped without a word is forgotten after an hour.
    const [, heartbeat] = await indexesOf('servers');
    expect(heartbeat).to.deep.include({ key: { heartbeat: 1 }, expireAfterSeconds: 3600 });
  });

  it('refuses a command of which one document was not written', async () => {
    const twice = { insert: 'things', documents: [{ _id: 1 }, { _id: 1 }] };
    const error = await own()
      .database.read((session) => own().database.statement(session, twice))
      .catch((one) => one);
    expect(error).to.be.instanceOf(MongoServerError);
    expect(error).to.include({ code: 11000 });
  });
});
