import { expect } from 'chai';
import { MongoClient } from 'mongodb';
// biome-ignore-start lint/style/noRestrictedImports: tests of a backend run on a real database, which hack starts
import { MongodMissing } from '../../hack/mongod/find.js';
import { type SetWithUsers, startSetWithUsers } from '../../hack/mongod/replica-set.js';
// biome-ignore-end lint/style/noRestrictedImports: as above
import { key, loadAll, write } from '../testing/backend/fixture.js';
import { failureOf } from '../testing/transfer/fixture.js';
import { openMongodb } from './open.js';

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
    const user = (createUser: string, roles: readonly unknown[]) => admin.command({ createUser, pwd: 'secret', roles });
    await user('one', [READ_WRITE]);
    await user('two', [READ_WRITE]);
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

  it('of different names may share it, although none may end what another one does', async () => {
    const [one, two] = await Promise.all(
      ['one', 'two'].map((user) => openMongodb({ uri: set.uri(user), database: NAME, domain: 'svc.app' })),
    );
    if (one === undefined || two === undefined) throw new Error('a store was not opened');
    opened.push(one, two);
    for (const [i, server] of [one, two, one].entries()) await write(server, [{ key: key(`n${i}`), value: `${i}` }]);
    await one.materialize?.();
    await two.materialize?.();
    expect((await loadAll(two)).map(({ revision }) => revision)).to.deep.equal([1, 2, 3]);
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
