import { expect } from 'chai';
import { type ClientSession, MongoClient } from 'mongodb';
// biome-ignore-start lint/style/noRestrictedImports: tests of a backend run on a real database, which hack starts
import { MongodMissing } from '../../hack/mongod/find.js';
import { type SetWithUsers, startSetWithUsers } from '../../hack/mongod/replica-set.js';
// biome-ignore-end lint/style/noRestrictedImports: as above
import { failureOf } from '../testing/transfer/fixture.js';
import type { Database } from './database.js';
import { connected, openMongodb } from './open.js';
import { Presence } from './presence.js';
import { DIFFERENT_USERS, findUser } from './user.js';

const NAME = 'objects';
const READ_WRITE = { role: 'readWrite', db: NAME };

describe('servers with users of MongoDB', function () {
  this.timeout(120_000);
  let set: SetWithUsers;
  let root: MongoClient;
  const opened: { close(): Promise<void> }[] = [];

  before(async function () {
    try {
      set = await startSetWithUsers('secret');
    } catch (error) {
      if (error instanceof MongodMissing && process.env['CI'] !== 'true') return this.skip();
      throw error;
    }
    root = new MongoClient(set.uri());
    const admin = root.db('admin');
    const privileges = [{ resource: { cluster: true }, actions: ['killAnySession'] }];
    await admin.command({ createRole: 'killer', privileges, roles: [] });
    const user = (createUser: string, roles: readonly unknown[]) => admin.command({ createUser, pwd: 'secret', roles });
    await user('one', [READ_WRITE]);
    await user('two', [READ_WRITE]);
    await user('able', [READ_WRITE, 'killer']);
    await user('reader', [{ role: 'read', db: NAME }]);
    await (await openMongodb({ uri: set.uri('one'), database: NAME, domain: 'svc.app' })).close();
  });
  after(async () => {
    await root?.close();
    await set?.stop();
  });
  afterEach(async () => {
    for (const one of opened.splice(0)) await one.close();
    await root.db(NAME).collection('servers').deleteMany({});
  });

  interface Running {
    readonly database: Database;
    readonly presence: Presence;
    readonly warnings: string[];
  }

  async function serverOf(user: string): Promise<Running> {
    const warnings: string[] = [];
    const database = await connected({ uri: set.uri(user), database: NAME }, async (made) => {
      made.user = await findUser((command) => made.admin(command));
      made.warn = (text) => warnings.push(text);
    });
    const presence = new Presence(database);
    opened.push({ close: () => presence.leave() }, database.client);
    return { database, presence, warnings };
  }

  /** A server that was killed a minute ago, and whose transaction holds a document. */
  async function stopped(user: string, _id: 'log' | 'compaction' = 'log'): Promise<ClientSession> {
    const { database, presence } = await serverOf(user);
    const session = await presence.session();
    session.startTransaction();
    await database.heads.updateOne({ _id }, { $set: { revision: 0 } }, { session });
    const heartbeat = new Date(Date.now() - 60_000);
    // Its beats would say that it runs.
    presence.beat = async () => undefined;
    await root.db(NAME).collection<{ _id: string }>('servers').updateOne({ _id: presence.id }, { $set: { heartbeat } });
    return session;
  }

  const outcomeOf = (session: ClientSession): Promise<string> =>
    session.commitTransaction().then(
      () => 'committed',
      () => 'ended',
    );

  it('end the transactions of others that have stopped, if they are the same user or may do so', async () => {
    for (const [killed, other] of [
      ['one', 'one'],
      ['one', 'able'],
    ] as const) {
      const session = await stopped(killed);
      const { presence, warnings } = await serverOf(other);
      await presence.killStale();
      expect(await outcomeOf(session), `${killed}, ${other}`).to.equal('ended');
      expect(warnings).to.deep.equal([]);
    }
  });

  it('warn once if they may not, and still end those of their own user', async () => {
    const foreign = await stopped('one');
    const own = await stopped('two', 'compaction');
    const { presence, warnings } = await serverOf('two');
    await presence.killStale();
    expect(await outcomeOf(foreign)).to.equal('committed');
    expect(await outcomeOf(own)).to.equal('ended');
    expect(warnings).to.deep.equal([DIFFERENT_USERS]);
  });

  it('warn at the first sight of another user, before anything happens', async () => {
    const one = await serverOf('one');
    await one.presence.beat(undefined, false);
    const two = await serverOf('two');
    for (let i = 0; i < 2; i++) expect(await two.presence.hasOthers()).to.equal(true);
    expect(two.warnings).to.deep.equal([DIFFERENT_USERS]);
    const able = await serverOf('able');
    expect(await able.presence.hasOthers()).to.equal(true);
    expect(able.warnings).to.deep.equal([]);
  });

  it('are refused without the role that they need, which the message names, and nothing secret', async () => {
    const message = await failureOf(openMongodb({ uri: set.uri('reader'), database: NAME, domain: 'svc.app' }));
    expect(message).to.include('readWrite').and.include(NAME);
    expect(message).to.not.match(/lsid|signature|\$clusterTime|secret/);
  });

  it('are refused with a wrong password, which the message does not show', async () => {
    const uri = set.uri('one').replace('secret', 'other-secret');
    const message = await failureOf(openMongodb({ uri, database: NAME, domain: 'svc.app' }));
    expect(message).to.include('Check the user and password').and.not.include('secret');
  });
});
