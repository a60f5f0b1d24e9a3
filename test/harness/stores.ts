import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongodMissing, type ReplicaSet, startReplicaSet } from '../../hack/mongod.js';
import type { Backend } from '../../storage/backend.js';
import { openLmdb } from '../../storage/lmdb/open.js';
import { openMemory } from '../../storage/memory/backend.js';
import { openServer, type Server, type ServerOptions } from './server.js';

const DOMAIN = 'svc.app';
const OPENERS: Readonly<Record<string, () => Promise<Backend>>> = {
  memory: async () => openMemory(),
  lmdb: openTemporaryLmdb,
  mongodb: openTemporaryMongodb,
};

/** The stores that suites run on: all stores, or those in `STORAGE=lmdb,mongodb`. */
export const STORES: readonly string[] = chosenStores();

function chosenStores(): readonly string[] {
  const chosen = (process.env['STORAGE'] ?? '').split(',').filter((name) => name !== '');
  const unknown = chosen.filter((name) => OPENERS[name] === undefined);
  if (unknown.length > 0) throw new Error(`STORAGE names unknown stores: ${unknown.join(', ')}`);
  return chosen.length === 0 ? Object.keys(OPENERS) : chosen;
}

/** A new and empty store. Its `close` deletes it. */
export function openStore(name: string): Promise<Backend> {
  const open = OPENERS[name];
  if (open === undefined) throw new Error(`there is no store ${name}`);
  return open();
}

/** Skips the suite if it needs a mongod and there is none, except in CI. */
export async function openOrSkip(test: Mocha.Context, name: string): Promise<Backend> {
  try {
    return await openStore(name);
  } catch (error) {
    if (!(error instanceof MongodMissing) || process.env['CI'] === 'true') throw error;
    return test.skip();
  }
}

export interface SuiteOptions extends ServerOptions {
  /** For a suite whose results do not depend on the store. Absent: all stores. */
  readonly stores?: readonly string[];
}

/** Runs a suite on every store. All tests of the suite share one server on each store. */
export function eachStore(title: string, suite: (server: () => Server) => void, options: SuiteOptions = {}): void {
  const { stores = STORES } = options;
  for (const store of STORES.filter((one) => stores.includes(one))) {
    describe(`${title} (${store})`, () => {
      let server: Server | undefined;
      before(async function openFresh() {
        this.timeout(120_000);
        server = await openServer(await openOrSkip(this, store), options);
      });
      after(() => server?.close());
      suite(() => {
        if (server === undefined) throw new Error('the server is not open yet');
        return server;
      });
    });
  }
}

async function openTemporaryLmdb(): Promise<Backend> {
  const path = await mkdtemp(join(tmpdir(), 'apiserver-test.'));
  const backend = await openLmdb({ path, domain: DOMAIN });
  return withCleanup(backend, () => rm(path, { recursive: true, force: true }));
}

let replicaSet: Promise<ReplicaSet> | undefined;

async function openTemporaryMongodb(): Promise<Backend> {
  const { openMongodb } = await import('../../storage/mongodb/open.js');
  const uri = process.env['MONGODB_URI'] || (await sharedReplicaSet()).uri;
  return openMongodb({ uri, database: `test-${randomUUID()}`, domain: DOMAIN });
}

/** All suites of this process share one replica set, because its start takes seconds. */
function sharedReplicaSet(): Promise<ReplicaSet> {
  replicaSet ??= startReplicaSet({ members: 1 });
  return replicaSet;
}

after(async () => {
  const running = await replicaSet?.catch(() => undefined);
  await running?.stop();
});

function withCleanup(backend: Backend, cleanUp: () => Promise<void>): Backend {
  const close = async (): Promise<void> => {
    await backend.close();
    await cleanUp();
  };
  return new Proxy(backend, {
    get: (target, property) => {
      if (property === 'close') return close;
      const value: unknown = Reflect.get(target, property, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
