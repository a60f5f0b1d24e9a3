import { mock } from 'node:test';
import { expect } from 'chai';
import { type CommandStartedEvent, type Document, MongoNetworkError } from 'mongodb';
import { type OwnDatabase, ownDatabase } from '../testing/mongodb.js';
import { Presence } from './presence.js';

interface Published {
  readonly _id: string;
  readonly session: { readonly buffer: Uint8Array };
  readonly heartbeat: Date;
}

describe('the presence of a server', function () {
  this.timeout(60_000);
  let own: OwnDatabase;
  let presence: Presence;
  /** The commands that end sessions, each with how many it ends. */
  let killed: number[];

  beforeEach(async function () {
    own = await ownDatabase(this);
    presence = new Presence(own.database);
    killed = [];
    const { admin } = own.database;
    own.database.admin = (command) => {
      killed.push(command['killSessions'].length);
      return admin.call(own.database, command);
    };
  });
  afterEach(async () => {
    await presence.leave();
    await own.close();
  });

  const published = () => own.db.collection<{ _id: string }>('servers').findOne<Published>({ _id: presence.id });
  /** Opens a transaction that writes, and returns how it ends. */
  async function open(session: Awaited<ReturnType<Presence['session']>>): Promise<() => Promise<string>> {
    session.startTransaction();
    await own.database.log.updateOne({ _id: 'log' }, { $inc: { fence: 1 } }, { session });
    return () =>
      session.commitTransaction().then(
        () => 'committed',
        () => 'failed',
      );
  }

  it('is published with the session of its commits, before the first of them', async () => {
    expect(await published()).to.equal(null);
    const session = await presence.session();
    const found = await published();
    expect(found).to.include({ _id: presence.id });
    expect(Buffer.from(found!.session.buffer)).to.deep.equal(Buffer.from(session.id!.id.buffer));
    expect(found!.heartbeat.getTime()).to.be.above(Date.now() - 60_000);
  });

  it('is not published for each commit, but again with another session', async () => {
    let beats = 0;
    const { beat } = presence;
    presence.beat = (...of) => {
      beats++;
      return beat.apply(presence, of);
    };
    const first = await presence.session();
    expect(await presence.session()).to.equal(first);
    expect(beats).to.equal(1);
    presence.abandon();
    const second = await presence.session();
    expect(beats).to.equal(2);
    expect(second).not.to.equal(first);
    expect(Buffer.from((await published())!.session.buffer)).to.deep.equal(Buffer.from(second.id!.id.buffer));
  });

  it('is acknowledged by a majority in the session that is given, or by one member', async () => {
    const sent: Document[] = [];
    const onCommand = ({ command }: CommandStartedEvent): void => {
      if (command['update'] === 'servers') sent.push(command);
    };
    const database = await own.connect({ timeouts: { answer: 4321 }, onCommand });
    const other = new Presence(database);
    const session = database.startReading();
    await other.beat(session, true);
    await other.beat(undefined, false);
    const [first, second] = sent.map((command) => command['writeConcern']);
    expect(first).to.deep.equal({ w: 'majority', wtimeout: 4321 });
    expect(second).to.deep.equal({ w: 1 });
    expect(session.operationTime).not.to.equal(undefined);
    await session.endSession();
    await other.leave();
  });

  it('is published again if the session was abandoned while it was published', async () => {
    const publishing = presence.beat(undefined, false);
    presence.abandon();
    await publishing;
    const session = await presence.session();
    expect(Buffer.from((await published())!.session.buffer)).to.deep.equal(Buffer.from(session.id!.id.buffer));
  });

  it('ends abandoned transactions before the next commit, once', async () => {
    const session = await presence.session();
    const commit = await open(session);
    presence.abandon();
    const next = await presence.session();
    expect(killed).to.deep.equal([1]);
    expect(session.hasEnded).to.equal(true);
    expect(await commit()).to.equal('failed');
    expect(await (await open(next))()).to.equal('committed');
    await presence.session();
    await presence.clean();
    expect(killed).to.deep.equal([1]);
  });

  it('ends abandoned transactions later if they cannot be ended now, also those that are abandoned meanwhile', async () => {
    const commit = await open(await presence.session());
    presence.abandon();
    const { admin } = own.database;
    own.database.admin = () => Promise.reject(new MongoNetworkError('no answer'));
    expect(await presence.session().catch((error: Error) => error.message)).to.equal('no answer');
    let answer = (): void => undefined;
    const blocked = new Promise<void>((resolve) => {
      answer = resolve;
    });
    own.database.admin = async (command) => {
      await blocked;
      return admin(command);
    };
    const cleaning = presence.clean();
    presence.abandon();
    answer();
    await cleaning;
    expect(await commit()).to.equal('failed');
    own.database.admin = admin;
    await presence.clean();
    expect(killed).to.deep.equal([1, 1]);
  });

  it('is renewed by itself, and so are transactions ended', async () => {
    await presence.session();
    const first = (await published())!.heartbeat.getTime();
    presence.abandon();
    const times = new Set([first]);
    while (times.size < 3) times.add((await published())!.heartbeat.getTime());
    expect(killed).to.deep.equal([1]);
  });

  it('tells whether another server runs', async () => {
    await presence.session();
    expect(await presence.hasOthers()).to.equal(false);
    const stopped = await own.stopInCommit();
    expect(await presence.hasOthers()).to.equal(false);
    const other = new Presence(own.database);
    await other.session();
    expect(await presence.hasOthers()).to.equal(true);
    await other.leave();
    expect(await presence.hasOthers()).to.equal(false);
    await stopped.endSession();
  });

  it('ends the transactions of servers that have stopped, and of no other', async () => {
    const other = new Presence(own.database);
    const session = await other.session();
    session.startTransaction();
    await own.database.compaction.updateOne({ _id: 'compaction' }, { $max: { revision: 0 } }, { session });
    await presence.killStale();
    expect(killed).to.deep.equal([]);
    const mine = await presence.session();
    const stopped = await own.stopInCommit();
    // This server was late itself.
    await own.db
      .collection<{ _id: string }>('servers')
      .updateOne({ _id: presence.id }, { $set: { heartbeat: new Date(0) } });
    const began = performance.now();
    let passed = 1000;
    const time = mock.method(performance, 'now', () => began + passed);
    const clock = mock.method(Date, 'now', () => 1_000_000_000_000);
    try {
      await presence.killStale();
      expect(killed).to.deep.equal([1]);
      await presence.killStale();
      expect(killed).to.deep.equal([1]);
      // The clock may be set back meanwhile.
      clock.mock.mockImplementation(() => 0);
      passed = 2000;
      await presence.killStale();
      expect(killed).to.deep.equal([1, 1]);
    } finally {
      for (const one of [time, clock]) one.mock.restore();
    }
    const error = await stopped.commitTransaction().catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(Error);
    await session.commitTransaction();
    expect(mine.hasEnded).to.equal(false);
    await stopped.endSession();
    await other.leave();
  });

  it('ends the transaction of the server that stopped last, however many have stopped before', async () => {
    const former = Array.from({ length: 150 }, (_, i) => {
      const heartbeat = new Date(Date.now() - 600_000 - i);
      return { _id: `former${i}`, session: own.database.client.startSession().id?.id, heartbeat };
    });
    await own.db.collection<{ _id: string }>('servers').insertMany(former);
    const stopped = await own.stopInCommit();
    await presence.killStale();
    expect(killed).to.deep.equal([100]);
    const error = await stopped.commitTransaction().catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(Error);
    await stopped.endSession();
  });

  it('is removed when the server stops, with what it had abandoned', async () => {
    const commit = await open(await presence.session());
    presence.abandon();
    await presence.leave();
    expect(await published()).to.equal(null);
    expect(await commit()).to.equal('failed');
  });

  it('does not keep a server from stopping if the database does not answer', async () => {
    const session = await presence.session();
    presence.abandon();
    const { admin } = own.database;
    own.database.admin = () => Promise.reject(new MongoNetworkError('no answer'));
    await presence.leave();
    expect(await published()).to.equal(null);
    own.database.admin = admin;
    await session.endSession();
  });
});
