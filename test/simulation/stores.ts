import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startReplicaSet } from '../../hack/mongod/replica-set.js';
import type { Backend } from '../../storage/backend.js';
import { openLmdb } from '../../storage/lmdb/open.js';
import { type MemoryStore, memoryStore, openMemory } from '../../storage/memory/backend.js';
import { openMongodb } from '../../storage/mongodb/open.js';

const DOMAIN = 'svc.app';

export type StoreName = 'memory' | 'lmdb' | 'mongodb';

export interface OpenStore {
  readonly backends: readonly Backend[];
  /** The data, if it is in memory. It can then be set back. */
  readonly memory?: MemoryStore;
  clean(): Promise<void>;
}

/** Opens stores for runs. Each call of `open` makes a new and empty store, with a backend for each server. */
export interface Stores {
  open(servers: number): Promise<OpenStore>;
  close(): Promise<void>;
}

export async function storesOf(name: StoreName): Promise<Stores> {
  if (name === 'mongodb') return mongodbStores();
  if (name === 'lmdb') return { open: openOneLmdb, close: async () => undefined };
  const open: Stores['open'] = async (servers) => {
    const store = memoryStore();
    const backends = Array.from({ length: servers }, () => openMemory(store, Date.now, servers > 1));
    return { backends, memory: store, clean: async () => undefined };
  };
  return { open, close: async () => undefined };
}

async function openOneLmdb(servers: number): ReturnType<Stores['open']> {
  if (servers > 1) throw new Error('the embedded store has one server');
  const path = await mkdtemp(join(tmpdir(), 'apiserver-simulation.'));
  const backend = await openLmdb({ path, domain: DOMAIN });
  return { backends: [backend], clean: () => rm(path, { recursive: true, force: true }) };
}

/** Uses `MONGODB_URI`, or starts a replica set of one member. */
async function mongodbStores(): Promise<Stores> {
  const given = process.env['MONGODB_URI'];
  const set = given === undefined ? await startReplicaSet({ members: 1 }) : undefined;
  const uri = given ?? set?.uri ?? '';
  const open: Stores['open'] = async (servers) => {
    const database = `simulation-${randomBytes(6).toString('hex')}`;
    const backends: Backend[] = [];
    for (let i = 0; i < servers; i++) backends.push(await openMongodb({ uri, database, domain: DOMAIN }));
    return { backends, clean: async () => undefined };
  };
  return { open, close: async () => set?.stop() };
}
