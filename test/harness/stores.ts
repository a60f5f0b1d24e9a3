import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freshDatabase, sharedMongodb } from '../../hack/mongod/shared.js';
import type { Backend } from '../../storage/backend.js';
import { openLmdb } from '../../storage/lmdb/open.js';
import { openMemory } from '../../storage/memory/backend.js';
import { openServer, type Server, type ServerOptions } from './server.js';

const DOMAIN = 'svc.app';
const OPENERS: Readonly<Record<string, (test: Mocha.Context) => Promise<Backend>>> = {
  memory: async () => openMemory(),
  lmdb: openTemporaryLmdb,
  mongodb: openTemporaryMongodb,
};

/** All stores, or those in `STORAGE=lmdb,mongodb`. */
export const STORES: readonly string[] = chosenStores();
/** The store of the suites that run on one: LMDB, unless `STORAGE` leaves it out. */
const ONE_STORE = STORES.filter((name) => name === 'lmdb' || !STORES.includes('lmdb')).slice(0, 1);

function chosenStores(): readonly string[] {
  const chosen = (process.env['STORAGE'] ?? '').split(',').filter((name) => name !== '');
  const unknown = chosen.filter((name) => OPENERS[name] === undefined);
  if (unknown.length > 0) throw new Error(`STORAGE names unknown stores: ${unknown.join(', ')}`);
  return chosen.length === 0 ? Object.keys(OPENERS) : chosen;
}

/** Opens a new and empty store, and deletes it on `close`. Skips the suite if there is no mongod, except in CI. */
export function openStore(test: Mocha.Context, name: string): Promise<Backend> {
  const open = OPENERS[name];
  if (open === undefined) throw new Error(`there is no store ${name}`);
  return open(test);
}

type Suite = (server: () => Server) => void;

/**
 * Runs a suite on every store, for behaviour that a store could break. All tests of the suite share one server on each
 * store.
 */
export function eachStore(title: string, suite: Suite, options?: ServerOptions): void {
  describeOn(STORES, title, (backend) => openServer(backend, options), suite);
}

/** Runs a suite on one store, for behaviour that no store can break. */
export function oneStore(title: string, suite: Suite, options?: ServerOptions): void {
  onOneStore(title, (backend) => openServer(backend, options), suite);
}

/** Runs a suite on one store with a server of another type. The server closes the store. */
export function onOneStore<T extends { close(): Promise<void> }>(
  title: string,
  open: (backend: Backend) => Promise<T>,
  suite: (server: () => T) => void,
): void {
  describeOn(ONE_STORE, title, open, suite);
}

/** The same on every store. */
export function onEachStore<T extends { close(): Promise<void> }>(
  title: string,
  open: (backend: Backend) => Promise<T>,
  suite: (server: () => T) => void,
): void {
  describeOn(STORES, title, open, suite);
}

function describeOn<T extends { close(): Promise<void> }>(
  stores: readonly string[],
  title: string,
  open: (backend: Backend) => Promise<T>,
  suite: (server: () => T) => void,
): void {
  for (const store of stores) {
    describe(`${title} (${store})`, () => {
      let server: T | undefined;
      before(async function openFresh() {
        this.timeout(120_000);
        server = await open(await openStore(this, store));
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

async function openTemporaryMongodb(test: Mocha.Context): Promise<Backend> {
  const { openMongodb } = await import('../../storage/mongodb/open.js');
  return openMongodb({ uri: await sharedMongodb(test), database: freshDatabase(), domain: DOMAIN });
}

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
