import { expect } from 'chai';
import { MongoClient } from 'mongodb';
// biome-ignore-start lint/style/noRestrictedImports: tests of a backend run on a real database, which hack starts
import { freshDatabase, sharedMongodb } from '../../../hack/mongod/shared.js';
// biome-ignore-end lint/style/noRestrictedImports: as above
import { failureOf } from '../../testing/transfer/fixture.js';
import type { MongodbOptions } from '../connection/options.js';
import { openMongodb } from '../open.js';

describe('a database that the URI names, and that earlier versions did not use', function () {
  this.timeout(60_000);
  let client: MongoClient;
  let options: MongodbOptions;
  let former: string;

  before(async function () {
    client = new MongoClient(await sharedMongodb(this));
  });
  after(() => client?.close());
  beforeEach(async function () {
    former = freshDatabase();
    options = { uri: await sharedMongodb(this), database: freshDatabase(), domain: 'svc.app', former };
  });
  afterEach(async () => {
    for (const name of [former, options.database]) await client.db(name).dropDatabase();
  });

  const open = async (more: Partial<MongodbOptions> = {}): Promise<void> =>
    (await openMongodb({ ...options, ...more })).close();

  it('is refused if it has no data and the former one has some, and stays empty', async () => {
    await open({ database: former });
    const message = await failureOf(open());
    expect(message).to.match(new RegExp(`${options.database}, which has no data.*${former} has data`));
    expect(message).to.include('storage.mongodb_database');
    expect(await client.db(options.database).listCollections().toArray()).to.deep.equal([]);
  });

  it('is used if it has data itself, or the former one has none, or none of this domain', async () => {
    await open();
    await open({ database: former });
    await open();
    await client.db(options.database).dropDatabase();
    await open({ domain: 'example.com' });
  });

  it('is used if a setting names it', async () => {
    await open({ database: former });
    await open({ former: undefined });
  });
});
