import { expect } from 'chai';
import { MongoNetworkError, MongoServerError, type Timestamp } from 'mongodb';
import type { Batch, Revision } from '../../backend.js';
import type { StorageError } from '../../errors.js';
import { LogEnd } from '../../log/log-end.js';
import { read } from '../../testing/backend/fixture.js';
import { created, type OwnDatabase, ownDatabase } from '../../testing/mongodb.js';
import { Heartbeat } from '../peers/heartbeat.js';
import { ReadIndex } from '../peers/read-index.js';
import { Appender } from './append.js';

const batchOf = (after: Revision, commit: string = `c${after + 1}`, parent?: string): Batch => ({
  commitId: commit,
  parent,
  changes: [created(after + 1)],
  counters: new Map(),
});

describe('an append to MongoDB', function () {
  this.timeout(60_000);
  let own: OwnDatabase;
  let heartbeat: Heartbeat;
  let end: ReadIndex;
  let appender: Appender;

  beforeEach(async function () {
    own = await ownDatabase(this, { settle: 0 });
    heartbeat = new Heartbeat(own.database);
    const known = new LogEnd();
    end = new ReadIndex(own.database, heartbeat, known);
    appender = new Appender(own.database, heartbeat.id, end, known);
  });
  afterEach(async () => {
    await appender.close();
    await end.close();
    await heartbeat.leave();
    await own.close();
  });

  /** What an append ends with: the code and the message of its error, or `written`. */
  async function outcome(after: Revision, commit?: string): Promise<string> {
    const error: unknown = await appender.append(after, batchOf(after, commit)).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (error === undefined) return 'written';
    const { code, message, cause } = error as Partial<StorageError>;
    return `${code}: ${message}${cause instanceof Error ? ` (${cause.message})` : ''}`;
  }

  /** The answer of the next commit is lost, before or after it took place. */
  function loseNext(when: 'before' | 'after', then: () => Promise<void> = async () => undefined): void {
    const { command } = own.database;
    own.database.command = async (...sent) => {
      own.database.command = command;
      if (when === 'after') await command.apply(own.database, sent);
      await then();
      throw new MongoNetworkError('the answer was lost');
    };
  }

  /** The database executes the first statement of the next commit, and then its answer is lost. */
  function stopBetween(): void {
    const { command } = own.database;
    own.database.command = async (session, sent) => {
      own.database.command = command;
      await command.call(own.database, session, { ...sent, updates: sent['updates'].slice(0, 1) });
      throw new MongoNetworkError('the answer was lost');
    };
  }

  /** Nothing can be asked until the result is called. */
  function disconnect(): () => void {
    const { command } = own.database;
    own.database.command = () => Promise.reject(new MongoNetworkError('there is no primary'));
    return () => {
      own.database.command = command;
    };
  }

  it('succeeds if its answer was lost, but it took place', async () => {
    loseNext('after');
    expect(await outcome(0)).to.equal('written');
    expect(await outcome(1)).to.equal('written');
    const server = await own.open();
    expect(await server.end()).to.equal(2);
  });

  it('succeeds if its request was lost, because it is sent again', async () => {
    loseNext('before');
    expect(await outcome(0)).to.equal('written');
    const server = await own.open();
    expect([await server.end(), (await server.get([created(1).key])).size]).to.deep.equal([1, 1]);
  });

  it('takes place once, also if the lost request comes late', async () => {
    const late: (() => Promise<unknown>)[] = [];
    const { command } = own.database;
    own.database.command = async (...sent) => {
      own.database.command = command;
      late.push(() => command.apply(own.database, sent));
      throw new MongoNetworkError('the answer was lost');
    };
    expect(await outcome(0)).to.equal('written');
    expect(await late[0]?.()).to.have.nested.property('writeErrors.length', 1);
    expect(await outcome(1)).to.equal('written');
    const server = await own.open();
    expect((await read(server, 0, 2)).map(({ id }) => id)).to.deep.equal(['c1', 'c2']);
  });

  it('keeps its document if the database stopped between its statements, and the same server goes on', async () => {
    stopBetween();
    expect(await outcome(0)).to.equal('written');
    await appender.append(1, batchOf(1, 'c2', 'c1'));
    const server = await own.open();
    expect((await read(server, 0, 2)).map(({ id }) => id)).to.deep.equal(['c1', 'c2']);
  });

  it('never sets a counter back, also if a commit without changes comes late', async () => {
    for (const value of [7, 5])
      await appender.append(0, { commitId: `x${value}`, changes: [], counters: new Map([['x', value]]) });
    await appender.append(0, { ...batchOf(0), counters: new Map([['x', 6]]) });
    const server = await own.open();
    expect([...(await server.counters())]).to.deep.equal([['x', 7]]);
  });

  it('is behind if another commit took its place after its request was lost', async () => {
    const server = await own.open();
    loseNext('before', () => server.append(0, batchOf(0, 'other')));
    expect(await outcome(0)).to.equal('behind: The log no longer ends at 0.');
    expect(await server.commitAt(1)).to.equal('other');
  });

  it('has succeeded when a majority has it on disk', async () => {
    const concerns: unknown[] = [];
    const server = await own.open(({ command }) => {
      if (command['updates']?.[0].u.$setOnInsert?._id === 'elsewhere') concerns.push(command['writeConcern']);
    });
    await server.append(0, batchOf(0));
    expect(concerns).to.deep.equal([{ w: 'majority', j: true, wtimeout: 10_000 }]);
  });

  it('is seen by all reads that begin after it, also by another session', async () => {
    const seen: (Timestamp | undefined)[] = [];
    const look = async (): Promise<void> => {
      const session = own.database.startReading();
      seen.push(session.operationTime);
      await session.endSession();
    };
    await look();
    expect(await outcome(0)).to.equal('written');
    await look();
    expect(await outcome(1)).to.equal('written');
    await look();
    const [none, first, second] = seen;
    expect(none).to.equal(undefined);
    expect(second?.greaterThan(first!)).to.equal(true);
  });

  it('is unknown if the database cannot be asked, and is settled before the next one', async () => {
    let connect = (): void => undefined;
    loseNext('after', async () => {
      connect = disconnect();
    });
    expect(await outcome(0)).to.match(
      /^unknown: The answer of MongoDB to a commit was lost: the answer was lost\. \(the answer was lost\)$/,
    );
    expect(await outcome(0)).to.match(/^unavailable: It is still unknown/);
    connect();
    expect(await outcome(0)).to.match(/^behind: The log no longer ends at 0\.$/);
    expect(await outcome(1)).to.equal('written');
    // The result of every append is known now, so nothing is asked.
    const sent: unknown[] = [];
    const { command } = own.database;
    own.database.command = (...of) => {
      sent.push(of);
      return command.apply(own.database, of);
    };
    expect([await outcome(2), sent.length]).to.deep.equal(['written', 1]);
  });

  it('is unknown if the log does not tell any more', async () => {
    const server = await own.open();
    loseNext('after', async () => {
      await server.append(1, batchOf(1));
      await server.compact(2);
    });
    expect(await outcome(0)).to.match(/^unknown: The history of a lost commit is gone\. \(the answer was lost\)$/);
    expect(await outcome(2)).to.equal('written');
  });

  it('is refused, and not asked for again, if the user may not write', async () => {
    let asked = 0;
    own.database.command = async () => {
      asked++;
      throw new MongoServerError({ message: 'not authorized on x', code: 13 });
    };
    expect(await outcome(0)).to.include('not authorized on x');
    expect(asked).to.equal(1);
  });

  it('writes nothing to a database that was dropped', async () => {
    await own.db.collection('changes').deleteMany({});
    expect(await outcome(0)).to.match(/The document `log` is missing/);
    expect(await own.db.collection('changes').countDocuments()).to.equal(0);
  });
});

describe('appends that wait', () => {
  /** An appender whose database answers when it is told to. */
  function stuck() {
    let answer = (): void => undefined;
    const blocked = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const read = async (): Promise<never> => {
      await blocked;
      throw new Error('cut off');
    };
    const client = { startSession: () => ({ endSession: async () => undefined }) };
    const started: unknown[] = [];
    const end = { appending: (append: unknown) => started.push(append) };
    const appender = new Appender({ read, client } as never, 's', end as never, new LogEnd());
    return { appender, answer, started };
  }

  it('are a thousand at most', async () => {
    const { appender, answer, started } = stuck();
    const waiting = Array.from({ length: 1000 }, () => appender.append(0, batchOf(0)).catch((error: Error) => error));
    const refused = await appender.append(0, batchOf(0)).catch((error: unknown) => error);
    expect(refused).to.include({ code: 'overloaded' });
    expect(String(refused)).to.include('Too many appends wait for MongoDB.');
    expect(started).to.have.length(1000);
    answer();
    for (const error of await Promise.all(waiting)) expect(error).to.include({ message: 'cut off' });
    expect(await appender.append(0, batchOf(0)).catch((error: Error) => error.message)).to.equal('cut off');
  });

  it('are waited for before the store is closed', async () => {
    const { appender, answer } = stuck();
    const ended: string[] = [];
    const append = appender.append(0, batchOf(0)).catch(() => ended.push('append'));
    const idle = appender.close().then(() => ended.push('idle'));
    answer();
    await Promise.all([append, idle]);
    expect(ended).to.deep.equal(['append', 'idle']);
  });
});
