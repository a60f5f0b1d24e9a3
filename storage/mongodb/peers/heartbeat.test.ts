import { expect } from 'chai';
import { type CommandStartedEvent, type Document, MongoNetworkError } from 'mongodb';
import { type OwnDatabase, ownDatabase } from '../../testing/mongodb.js';
import { Heartbeat } from './heartbeat.js';

describe('the heartbeat of a server', function () {
  this.timeout(60_000);
  let own: OwnDatabase;
  let heartbeat: Heartbeat;

  beforeEach(async function () {
    own = await ownDatabase(this);
    heartbeat = new Heartbeat(own.database);
  });
  afterEach(async () => {
    await heartbeat.leave();
    await own.close();
  });

  const servers = () => own.db.collection<{ _id: string; heartbeat: Date }>('servers');
  const published = () => servers().findOne({ _id: heartbeat.id });

  it('is acknowledged by a majority in the session that is given, or by one member', async () => {
    const sent: Document[] = [];
    const onCommand = ({ command }: CommandStartedEvent): void => {
      if (command['update'] === 'servers') sent.push(command);
    };
    const database = await own.connect({ timeouts: { answer: 4321 }, onCommand });
    const other = new Heartbeat(database);
    const session = database.startReading();
    sent.length = 0;
    await other.beat(session, true);
    await other.beat(undefined, false);
    const concerns = sent.map((command) => command['writeConcern']);
    expect(concerns).to.deep.include({ w: 'majority', wtimeout: 4321 }).and.to.deep.include({ w: 1 });
    expect(session.operationTime).not.to.equal(undefined);
    await session.endSession();
    await other.leave();
  });

  it('is published at once, and renewed by itself', async () => {
    const times = new Set<number>();
    while (times.size < 3) {
      const found = await published();
      if (found !== null) times.add(found.heartbeat.getTime());
    }
  });

  it('leaves nothing behind, also if beats are under way, its own and those of a read', async () => {
    for (let i = 0; i < 20; i++) {
      const other = new Heartbeat(own.database);
      const read = other.beat(undefined, true);
      await other.leave();
      await read;
      expect(await servers().findOne({ _id: other.id })).to.equal(null);
      await new Promise((resolve) => setTimeout(resolve, 5));
      expect(await servers().findOne({ _id: other.id })).to.equal(null);
    }
  });

  it('tells whether another server runs', async () => {
    await heartbeat.beat(undefined, false);
    await servers().insertOne({ _id: 'stopped', heartbeat: new Date(Date.now() - 60_000) });
    expect(await heartbeat.hasOthers()).to.equal(false);
    const other = new Heartbeat(own.database);
    await other.beat(undefined, false);
    expect(await heartbeat.hasOthers()).to.equal(true);
    await other.leave();
    expect(await heartbeat.hasOthers()).to.equal(false);
  });

  it('is removed when the server stops', async () => {
    await heartbeat.beat(undefined, false);
    await heartbeat.leave();
    expect(await published()).to.equal(null);
  });

  it('does not keep a server from stopping if the database does not answer', async () => {
    const { servers: found } = own.database;
    const deleteOne = () => Promise.reject(new MongoNetworkError('no answer'));
    Object.defineProperty(own.database, 'servers', { value: { deleteOne }, configurable: true });
    await heartbeat.leave();
    Object.defineProperty(own.database, 'servers', { value: found, configurable: true });
  });
});
