import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
// biome-ignore-start lint/style/noRestrictedImports: tests of a backend run on a real database, which hack starts
import { freshDatabase, sharedMongodb } from '../../hack/mongod/shared.js';
import type { Backend } from '../backend.js';
// biome-ignore-end lint/style/noRestrictedImports: as above
import { openLmdb } from '../lmdb/open.js';
import { memoryStore, openMemory } from '../memory/backend.js';
import { openMongodb } from '../mongodb/open.js';
import type { Opened } from '../testing/backend-suite.js';
import { engineSuite } from '../testing/engine-suite.js';

/** `STORAGE=memory,lmdb,mongodb` selects the stores. */
const wanted = process.env['STORAGE']?.split(',');
const isWanted = (name: string): boolean => wanted === undefined || wanted.includes(name);

async function openOnMemory(shared: boolean): Promise<Opened> {
  const store = memoryStore();
  const opened: Backend[] = [];
  const open = async (): Promise<Backend> => {
    const backend = openMemory(store, Date.now, shared);
    opened.push(backend);
    return backend;
  };
  const close = async (): Promise<void> => {
    await Promise.all(opened.splice(0).map((backend) => backend.close()));
  };
  return {
    backend: await open(),
    reopen: async () => {
      await close();
      return open();
    },
    ...(shared && { another: open }),
    destroy: close,
  };
}

async function openOnMongodb(uri: string): Promise<Opened> {
  const database = freshDatabase();
  const opened: Backend[] = [];
  const open = async (): Promise<Backend> => {
    const backend = await openMongodb({ uri, database, domain: 'svc.app' });
    opened.push(backend);
    return backend;
  };
  const close = async (): Promise<void> => {
    await Promise.all(opened.splice(0).map((backend) => backend.close()));
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

async function openOnLmdb(): Promise<Opened> {
  const path = await mkdtemp(join(tmpdir(), 'engine-suite.'));
  let backend = await openLmdb({ path, domain: 'svc.app' });
  return {
    backend,
    reopen: async () => {
      await backend.close();
      backend = await openLmdb({ path, domain: 'svc.app' });
      return backend;
    },
    destroy: async () => {
      await backend.close();
      await rm(path, { recursive: true });
    },
  };
}

if (isWanted('memory')) {
  engineSuite('memory', () => openOnMemory(false), { runs: 20 });
  engineSuite('memory shared by several servers', () => openOnMemory(true), { runs: 20 });
  engineSuite('memory, with tables', () => openOnMemory(false), { runs: 8, tables: true });
  engineSuite('memory shared by several servers, with tables', () => openOnMemory(true), { runs: 8, tables: true });
}
if (isWanted('lmdb')) {
  engineSuite('lmdb', openOnLmdb, { runs: 6 });
  engineSuite('lmdb, with tables', openOnLmdb, { runs: 4, tables: true });
}
if (isWanted('mongodb')) {
  describe('mongodb', function () {
    this.timeout(120_000);
    let uri = '';
    before(async function () {
      uri = await sharedMongodb(this);
    });
    engineSuite('mongodb', () => openOnMongodb(uri), { runs: 4, timeout: 120_000 });
  });
}
