import { MongoClient } from 'mongodb';
// biome-ignore-start lint/style/noRestrictedImports: tests of a backend run on a real database, which hack starts
import { freshDatabase, sharedMongodb } from '../../../hack/mongod/shared.js';
import { transferSuite } from '../../testing/transfer-suite.js';
// biome-ignore-end lint/style/noRestrictedImports: as above
import { openMongodb } from '../open.js';
import { openMongodbReceiver } from './receiver.js';
import { openMongodbSnapshot } from './snapshot.js';

describe('mongodb', function () {
  this.timeout(120_000);
  let uri = '';
  before(async function () {
    uri = await sharedMongodb(this);
  });

  transferSuite('mongodb', async () => {
    const place = { uri, database: freshDatabase() };
    return {
      open: () => openMongodb({ ...place, domain: 'svc.app' }),
      snapshot: () => openMongodbSnapshot(place),
      receive: (options) => openMongodbReceiver(place, options),
      remove: async () => {
        const client = new MongoClient(uri);
        await client.db(place.database).dropDatabase();
        await client.close();
      },
    };
  });
});
