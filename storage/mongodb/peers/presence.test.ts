import { expect } from 'chai';
import { type CommandStartedEvent, type Document, MongoNetworkError } from 'mongodb';
import { type OwnDatabase, ownDatabase } from '../../testing/mongodb.js';
import { Presence } from './presence.js';

describe('the presence of a server', function () {
  this.timeout(60_000);
  let own: OwnDatabase;
  let presence: Presence;

  beforeEach(async function () {
    own = await ownDatabase(this);
    presence = new Presence(own.database);
  });
  afterEach(async () => {
    await presence.leave();
    await own.close();
  });

  const servers = () => own.db.collection<{ _id: string; heartbeat: Date }>('servers');
  const published = () => servers().findOne({ _id: presence.id });

  it('is acknowledged by a majority in the session that is given, or by one member', async () => {
    const sent: Document[] = [];
    const onCommand = ({ command }: CommandStartedEvent): void => {
      if (command['update'] === 'servers') sent.push(command);
    };
    const database = await own.connect({ timeouts: { answer: 4321 }, onCommand });
    const other = new Presence(database);
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

  it('tells whether another server runs', async () => {
    await presence.beat(undefined, false);
    await servers().insertOne({ _id: 'stopped', heartbeat: new Date(Date.now() - 60_000) });
    expect(await presence.hasOthers()).to.equal(false);
    const other = new Presence(own.database);
    await other.beat(undefined, false);
    expect(await presence.hasOthers()).to.equal(true);
    await other.leave();
    expect(await presence.hasOthers()).to.equal(false);
  });

  it('is removed when the server stops', async () => {
    await presence.beat(undefined, false);
    await presence.leave();
    expect(await published()).to.equal(null);
  });

  it('does not keep a server from stopping if the database does not answer', async () => {
    const { servers: found } = own.database;
    const deleteOne = () => Promise.reject(new MongoNetworkError('no answer'));
    Object.defineProperty(own.database, 'servers', { value: { deleteOne }, configurable: true });
    await presence.leave();
    Object.defineProperty(own.database, 'servers', { value: found, configurable: true });
  });
});
