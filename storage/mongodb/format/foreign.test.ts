import { expect } from 'chai';
import { type Db, MongoClient } from 'mongodb';
// biome-ignore lint/style/noRestrictedImports: tests of a backend run on a real database, which hack starts
import { freshDatabase, sharedMongodb } from '../../../hack/mongod/shared.js';
import { StorageError } from '../../errors.js';
import { created } from '../../testing/mongodb.js';
import { openMongodb } from '../open.js';
import { openMongodbReceiver } from '../transfer/receiver.js';
import { openMongodbSnapshot } from '../transfer/snapshot.js';

type Documents = readonly object[];

describe('a database of another program', function () {
  this.timeout(60_000);
  let uri = '';
  let client: MongoClient;
  let name = '';
  let db: Db;
  before(async function () {
    uri = await sharedMongodb(this);
    client = new MongoClient(uri);
  });
  beforeEach(() => {
    name = freshDatabase();
    db = client.db(name);
  });
  afterEach(() => db.dropDatabase());
  after(() => client.close());

  const options = () => ({ uri, database: name, domain: 'svc.app' });
  const filled = (replaces: boolean) => openMongodbReceiver(options(), { domain: 'svc.app', origin: 'here', replaces });

  /** Everything in the database, with the indexes. */
  async function content(): Promise<unknown> {
    const collections = (await db.listCollections().toArray()).toSorted((a, b) => (a.name < b.name ? -1 : 1));
    return Promise.all(
      collections.map(async (one) => [
        one.name,
        await db.collection(one.name).find().toArray(),
        await db.collection(one.name).indexes(),
      ]),
    );
  }

  async function fill(collections: Readonly<Record<string, Documents>>): Promise<void> {
    for (const [one, documents] of Object.entries(collections)) {
      await db.createCollection(one);
      if (documents.length > 0) await db.collection(one).insertMany([...documents]);
    }
  }

  async function expectRefused(open: () => Promise<{ close(): Promise<void> }>, reason: RegExp): Promise<void> {
    const before = await content();
    const error = await open().then(
      (opened) => opened.close(),
      (reason: unknown) => reason,
    );
    expect(error).to.be.instanceOf(StorageError).with.property('code', 'refused');
    expect((error as Error).message).to.match(reason);
    expect(await content()).to.deep.equal(before);
  }

  const changes = Array.from({ length: 40 }, (_, i) => ({ _id: i + 1, what: 'x' }));
  const FOREIGN: Readonly<Record<string, Readonly<Record<string, Documents>>>> = {
    changes: { changes, servers: [{ _id: 's', heartbeat: new Date(0) }], log: [{ _id: 'l' }] },
    servers: { servers: [{ _id: 's', heartbeat: new Date(0) }] },
    log: { log: [{ _id: 'domain', domain: 'other.example' }], changes: [] },
    orders: { orders: [] },
  };
  for (const [collection, collections] of Object.entries(FOREIGN))
    it(`is refused, by its collection ${collection}, and is left as it is`, async () => {
      await fill(collections);
      await expectRefused(() => openMongodb(options()), new RegExp(`${name}.*${collection}`));
      await expectRefused(() => openMongodbSnapshot(options()), /Name|Use that version or another database/);
      for (const replaces of [false, true]) await expectRefused(() => filled(replaces), new RegExp(name));
    });

  it('is not one that a first start has begun, or a server has used', async () => {
    for (const one of ['log', 'changes', 'staged', 'servers']) await db.createCollection(one);
    await db.collection<{ _id: string; revision: number }>('changes').insertOne({ _id: 'log', revision: 0 });
    for (let times = 0; times < 2; times++) await (await openMongodb(options())).close();
  });

  it('is not opened by several servers at once that make it', async () => {
    const opened = await Promise.all(Array.from({ length: 4 }, () => openMongodb(options())));
    for (const one of opened) await one.close();
  });

  it('may also be one of ours of which only a part is restored', async () => {
    await (await openMongodb(options())).close();
    await db.collection('changes').drop();
    await expectRefused(() => openMongodb(options()), /no log.*restored/);
  });

  it('may also be one of ours whose changes are not all restored yet', async () => {
    const backend = await openMongodb(options());
    for (const at of [1, 2])
      await backend.append(at - 1, { commitId: `c${at}`, changes: [created(at)], counters: new Map() });
    await backend.close();
    const log = db.collection<{ _id: number }>('changes');
    const all = await log.find({ _id: { $gte: 1 } }).toArray();
    await log.deleteMany({ _id: { $gte: 1 } });
    await expectRefused(() => openMongodb(options()), /not all changes up to the end of its log \(2\).*restored/);
    await log.insertMany(all);
    const again = await openMongodb(options());
    await again.compact(2);
    await again.close();
    await (await openMongodb(options())).close();
  });
});
