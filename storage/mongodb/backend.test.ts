import { MongoClient } from 'mongodb';
// biome-ignore-start lint/style/noRestrictedImports: tests of a backend run on a real database, which hack starts
import { freshDatabase, sharedMongodb } from '../../hack/mongod/shared.js';
import type { Backend } from '../backend.js';
// biome-ignore-end lint/style/noRestrictedImports: as above
import { backendSuite, type Opened } from '../testing/backend-suite.js';
import { openMongodb } from './open.js';

describe('mongodb', function () {
  this.timeout(120_000);
  let uri = '';
  before(async function () {
    uri = await sharedMongodb(this);
  });

  backendSuite('mongodb', () => openStore(uri), { runs: 4 });
});

async function openStore(uri: string): Promise<Opened> {
  const database = freshDatabase();
  const opened = new Set<Backend>();
  const open = async (): Promise<Backend> => {
    const backend = await openMongodb({ uri, database, domain: 'svc.app' });
    opened.add(backend);
    return backend;
  };
  const close = async (): Promise<void> => {
    await Promise.all([...opened].map((backend) => backend.close()));
    opened.clear();
  };
  return {
    backend: await open(),
    reopen: async () => {
      await close();
      return open();
    },
    another: open,
    destroy: async () => {
      await close();
      const client = new MongoClient(uri);
      await client.db(database).dropDatabase();
      await client.close();
    },
  };
}
