import { mock } from 'node:test';
import { expect } from 'chai';
import { MongoNetworkError, type Timestamp } from 'mongodb';
import type { Batch, Revision } from '../backend.js';
import type { StorageError } from '../errors.js';
import { LogEnd } from '../log/log-end.js';
import { created, type OwnDatabase, ownDatabase } from '../testing/mongodb.js';
import { Appender } from './append.js';
import { EndProbe } from './end.js';
import { Presence } from './presence.js';

const batchOf = (after: Revision, commit: string = `c${after + 1}`): Batch => ({
  commit,
  changes: [created(after + 1)],
  counters: new Map(),
});

describe('an append to MongoDB', function () {
  this.timeout(60_000);
  let own: OwnDatabase;
  let presence: Presence;
  let end: EndProbe;
  let appender: Appender;

  beforeEach(async function () {
    own = await ownDatabase(this, { settle: 0 });
    presence = new Presence(own.database);
    const known = new LogEnd();
    end = new EndProbe(own.database, presence, known);
    appender = new Appender(own.database, presence, end, known);
  });
  afterEach(async () => {
    await appender.idle();
    await end.close();
    await presence.leave();
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
  async function loseNext(when: 'before' | 'after', then: () => Promise<void> = async () => undefined): Promise<void> {
    const session = await presence.session();
    const commit = session.commitTransaction.bind(session);
    session.commitTransaction = async () => {
      if (when === 'after') await commit();
      await then();
      throw new MongoNetworkError('the answer was lost');
    };
  }

  /** Nothing can be read until the result is called. */
  function disconnect(): () => void {
    const { read } = own.database;
    own.database.read = () => Promise.reject(new MongoNetworkError('there is no primary'));
    return () => {
      own.database.read = read;
    };
  }

  it('succeeds if its answer was lost, but it took place', async () => {
    await loseNext('after');
    expect(await outcome(0)).to.equal('written');
    expect(await outcome(1)).to.equal('written');
    const server = await own.open();
    expect(await server.end()).to.equal(2);
  });

  it('has succeeded when a majority has it on disk', async () => {
    const concerns: unknown[] = [];
    const server = await own.open(({ command, commandName }) => {
      if (commandName === 'commitTransaction') concerns.push(command['writeConcern']);
    });
    await server.append(0, batchOf(0));
    expect(concerns).to.have.length(1);
    expect(concerns[0]).to.include({ w: 'majority', j: true });
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
    presence.abandon();
    expect(await outcome(1)).to.equal('written');
    await look();
    const [none, first, second] = seen;
    expect(none).to.equal(undefined);
    expect(second?.greaterThan(first!)).to.equal(true);
  });

  it('is reported as not written if it did not take place, and holds nothing up', async () => {
    await loseNext('before');
    expect(await outcome(0)).to.match(
      /^unavailable: MongoDB did not commit: the answer was lost\. \(the answer was lost\)$/,
    );
    const server = await own.open();
    expect(await server.end()).to.equal(0);
    expect((await server.get([created(1).key])).size).to.equal(0);
    expect(await outcome(0)).to.equal('written');
  });

  it('is unknown if the database cannot be asked, and is settled before the next one', async () => {
    let connect = (): void => undefined;
    await loseNext('after', async () => {
      connect = disconnect();
    });
    expect(await outcome(0)).to.match(
      /^unknown: The answer of MongoDB to a commit was lost: the answer was lost\. \(the answer was lost\)$/,
    );
    expect(await outcome(0)).to.match(/^unavailable: It is still unknown/);
    connect();
    expect(await outcome(0)).to.match(/^behind: The log no longer ends at 0\.$/);
    expect(await outcome(1)).to.equal('written');
    disconnect();
    // The result of every append is known now, so nothing is read.
    expect(await outcome(2)).to.equal('written');
  });

  it('is unknown if the log does not tell any more', async () => {
    const server = await own.open();
    await loseNext('after', async () => {
      await server.append(1, batchOf(1));
      await server.compact(2);
    });
    expect(await outcome(0)).to.match(/^unknown: The history of a lost commit is gone\. \(the answer was lost\)$/);
    expect(await outcome(2)).to.equal('written');
  });

  it('leaves no transaction behind if one of its commands fails', async () => {
    const { statement } = own.database;
    let count = 0;
    own.database.statement = async (session, command) => {
      const reply = await statement.call(own.database, session, command);
      if (++count === 2) throw new MongoNetworkError('cut off');
      return reply;
    };
    expect(await outcome(0)).to.match(/cut off$/);
    expect(await outcome(0)).to.equal('written');
    const server = await own.open();
    expect(await server.end()).to.equal(1);
  });

  it('is behind if another one holds the log, also of a server that has stopped, but not for ever', async () => {
    const session = await own.stopInCommit();
    expect(await outcome(0)).to.match(/^behind: Another server is writing on top of 0\. \(.+\)$/);
    const began = performance.now();
    let tries = 1;
    for (; (await outcome(0)) !== 'written'; tries++) expect(performance.now() - began).to.be.below(20_000);
    // Losers wait between their tries.
    expect(tries).to.be.above(1).and.below(400);
    await session.endSession();
  });

  it('looks for servers that have stopped, also if the clock is set back', async () => {
    const session = await own.stopInCommit();
    const killStale = mock.method(presence, 'killStale');
    await outcome(0);
    const clock = mock.method(Date, 'now', () => 0);
    const began = performance.now();
    while (killStale.mock.callCount() === 0 && performance.now() - began < 3_000) await outcome(0);
    clock.mock.restore();
    expect(killStale.mock.callCount()).to.be.above(0);
    await session.abortTransaction().catch(() => undefined);
    await session.endSession();
  });

  it('fails if the servers that have stopped cannot be found', async () => {
    const session = await own.stopInCommit();
    presence.killStale = () => Promise.reject(new MongoNetworkError('no answer'));
    let last = await outcome(0);
    while (last.startsWith('behind')) last = await outcome(0);
    expect(last).to.equal('unavailable: MongoDB is unavailable: no answer. (no answer)');
    await session.abortTransaction();
    await session.endSession();
  });
});

describe('appends that wait', () => {
  /** An appender whose database answers when it is told to. */
  function stuck() {
    let answer = (): void => undefined;
    const blocked = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const ensure = async (): Promise<never> => {
      await blocked;
      throw new Error('cut off');
    };
    const started: unknown[] = [];
    const end = { appending: (append: unknown) => started.push(append) };
    const appender = new Appender({ ensure } as never, { id: 's' } as never, end as never, new LogEnd());
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
    const idle = appender.idle().then(() => ended.push('idle'));
    answer();
    await Promise.all([append, idle]);
    expect(ended).to.deep.equal(['append', 'idle']);
  });
});
