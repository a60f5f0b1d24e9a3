import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
// biome-ignore lint/style/noRestrictedImports: tests of a backend run on a real database, which hack starts
import { freshDatabase } from '../../hack/mongod/shared.js';
import type { Backend } from '../backend.js';
import { openLmdb } from '../lmdb/open.js';
import { memoryStore, openMemory } from '../memory/backend.js';
import { openMongodb } from '../mongodb/open.js';
import type { Opened } from './backend-suite.js';

/** An empty store for a shared suite. With `shared`, several servers can open it. */
export async function openOnMemory(shared: boolean): Promise<Opened> {
  const store = memoryStore();
  const openings = openingsOf(async () => openMemory(store, Date.now, shared));
  return {
    backend: await openings.open(),
    reopen: openings.reopen,
    ...(shared && { another: openings.open }),
    destroy: openings.close,
  };
}

/** A new database for a shared suite. */
export async function openOnMongodb(uri: string): Promise<Opened> {
  const database = freshDatabase();
  const openings = openingsOf(() => openMongodb({ uri, database, domain: 'svc.app' }));
  return {
    backend: await openings.open(),
    reopen: openings.reopen,
    another: openings.open,
    destroy: async () => {
      await openings.close();
      const client = new MongoClient(uri);
      await client.db(database).dropDatabase();
      await client.close();
    },
  };
}

/** A new folder for a shared suite. */
export async function openOnLmdb(): Promise<Opened> {
  const path = await mkdtemp(join(tmpdir(), 'lmdb-suite.'));
  const openings = openingsOf(() => openLmdb({ path, domain: 'svc.app' }));
  return {
    backend: await openings.open(),
    reopen: openings.reopen,
    destroy: async () => {
      await openings.close();
      await rm(path, { recursive: true });
    },
  };
}

/** All that was opened of one store, so that it can be closed together. */
function openingsOf(openOne: () => Promise<Backend>) {
  const opened: Backend[] = [];
  const open = async (): Promise<Backend> => {
    const backend = await openOne();
    opened.push(backend);
    return backend;
  };
  const close = async (): Promise<void> => {
    await Promise.all(opened.splice(0).map((backend) => backend.close()));
  };
  const reopen = async (): Promise<Backend> => {
    await close();
    return open();
  };
  return { open, close, reopen };
}
