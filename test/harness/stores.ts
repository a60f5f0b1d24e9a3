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

/** The stores that suites run on: all, or those that `STORAGE=lmdb,mongodb` names. */
export const STORES: readonly string[] = chosenStores();

function chosenStores(): readonly string[] {
  const chosen = (process.env['STORAGE'] ?? '').split(',').filter((name) => name !== '');
  const unknown = chosen.filter((name) => OPENERS[name] === undefined);
  if (unknown.length > 0) throw new Error(`STORAGE names no store of ours: ${unknown.join(', ')}`);
  return chosen.length === 0 ? Object.keys(OPENERS) : chosen;
}

/** A fresh and empty store; it is gone with its `close`. */
export function openStore(name: string): Promise<Backend> {
  const open = OPENERS[name];
  if (open === undefined) throw new Error(`there is no store ${name}`);
  return open();
}

/** Without a mongod the suites that need one are skipped, but for CI. */
export async function openOrSkip(test: Mocha.Context, name: string): Promise<Backend> {
  try {
    return await openStore(name);
  } catch (error) {
    if (!(error instanceof MongodMissing) || process.env['CI'] === 'true') throw error;
    return test.skip();
  }
}

/** Runs a suite on every store, each time with a server of its own that all its tests share. */
export function eachStore(title: string, suite: (server: () => Server) => void, options?: ServerOptions): void {
  for (const store of STORES) {
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

/** One for all suites of this process: its start takes seconds. */
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
