import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Backend, Change, Revision } from '../../backend.js';
import { Cacher } from '../../cacher/cacher.js';
import { openLmdb } from '../../lmdb/open.js';
import { type MemoryStore, memoryStore, openMemory } from '../../memory/backend.js';
import { encodeText } from '../../state/codec.js';
import { type DefinedResources, Definitions } from '../../state/definitions.js';
import type { ResourceDefinition } from '../../state/resource.js';
import { loadAll, text, write } from '../../testing/backend/fixture.js';
import { around } from '../../testing/engine/around.js';
import { contents } from '../../testing/engine/fixture.js';
import { DASHBOARDS, DEFINITIONS, FOLDERS, key, objectAt, type Spec } from '../../testing/engine/resources.js';
import { TableFolder } from '../folder/folder.js';
import { Checkpointer } from '../work/checkpointer.js';
import { Follower } from '../work/follower.js';

/** A store that lasts longer than the servers of a test, and of which a copy can be made while none is open. */
export interface Store {
  open(): Promise<Backend>;
  copy(): Promise<Store>;
}

export function lmdbStore(folder: string, name = 'store'): Store {
  const path = join(folder, name);
  return {
    open: () => openLmdb({ path, domain: 'svc.app' }),
    copy: async () => {
      cpSync(path, `${path}-copy`, { recursive: true });
      return lmdbStore(folder, `${name}-copy`);
    },
  };
}

export function memoryStoreOf(store: MemoryStore = memoryStore()): Store {
  return {
    open: async () => openMemory(store, Date.now, true),
    copy: async () => {
      const { objects, log, counters, end, commit, compacted } = store;
      const copied = { objects: new Map(objects), log: [...log], counters: new Map(counters), end, commit, compacted };
      return memoryStoreOf({ ...memoryStore(), ...copied });
    },
  };
}

/** What a server has read from its store. */
export interface Reads {
  /** The resources of which it has read all objects. */
  readonly loaded: string[];
  /** The revisions of the changes that it has read. */
  readonly changes: Revision[];
}

function counting(backend: Backend, { loaded, changes }: Reads): Backend {
  return around(backend, {
    load: (resource) => {
      loaded.push(resource);
      return backend.load(resource);
    },
    tail: async function* (after, signal, known, id) {
      for await (const commit of backend.tail(after, signal, known, id)) {
        changes.push(...commit.changes.map(({ revision }: Change) => revision));
        yield commit;
      }
    },
  });
}

export interface KeptServer {
  readonly backend: Backend;
  readonly cacher: Cacher;
  readonly folder: TableFolder;
  /** Use this if the server writes. */
  readonly checkpointer: Checkpointer;
  /** Use this if another server of the folder writes. */
  readonly follower: Follower;
  /** What it has read when it was ready. */
  readonly reads: Reads;
  readonly errors: unknown[];
  /** Ends without a last flush, as a server that is killed. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

export interface KeptOptions {
  readonly path: string;
  /** Whether it is one of several that use the folder. */
  readonly isShared?: boolean;
  readonly reserve?: number;
  readonly definitions?: readonly ResourceDefinition[];
  /** The resources that objects define. Without it, there are none. */
  readonly defined?: DefinedResources;
  readonly inMemory?: (resource: string) => boolean;
}

/** Starts a server that keeps its objects in a folder, and writes them only when it is told to. */
export async function startKept(store: Store, options: KeptOptions): Promise<KeptServer> {
  const { path, isShared, reserve, inMemory = () => false, definitions = DEFINITIONS, defined } = options;
  const reads: Reads = { loaded: [], changes: [] };
  const stored = await store.open();
  const backend = counting(stored, reads);
  const folder = await TableFolder.open(
    { path, isShared, reserve, program: 'test', inMemory, firstWithin: 0 },
    new Definitions(definitions, defined),
  );
  const cacher = await Cacher.open(backend, { definitions, defined, folder });
  const errors: unknown[] = [];
  const limits = { bytes: 1, age: 1, interval: 1 };
  const onError = (error: unknown) => errors.push(error);
  const checkpointer = new Checkpointer({ backend, cacher, folder, limits, onError });
  const follower = new Follower({ backend, cacher, folder, interval: 1, onError });
  const kill = async (): Promise<void> => {
    await cacher.close();
    await folder.close();
    await backend.close();
  };
  const stop = async (): Promise<void> => {
    await checkpointer.close();
    await kill();
  };
  const own = { loaded: [...reads.loaded], changes: [...reads.changes] };
  return { backend: stored, cacher, folder, checkpointer, follower, reads: own, errors, kill, stop };
}

/** Writes an object in a commit of its own, and waits until the server has it. Without a spec, it is deleted. */
export async function change({ backend, cacher }: KeptServer, name: string, spec?: Spec, of = FOLDERS): Promise<void> {
  const at = key(of, name);
  const revision = (await backend.end()) + 1;
  await write(backend, [{ key: at, ...(spec && { value: encodeText(JSON.stringify(objectAt(at, spec)), revision) }) }]);
  await cacher.catchUp(await backend.end());
}

/** The state of the server is that of the store. */
export async function expectSame({ backend, cacher }: KeptServer): Promise<void> {
  expect(cacher.state.revision).to.equal(await backend.end());
  for (const resource of [FOLDERS, DASHBOARDS]) {
    const stored = await loadAll(backend, resource);
    const expected = stored.map(({ key: at, revision, value }) => ({ key: at, revision, value: text(value) }));
    const state = cacher.state.resource(resource);
    expect(contents(state, resource)).to.deep.equal(expected);
    expect(state.size).to.equal(expected.length);
    expect(state.count('default')).to.equal(expected.length);
    expect(state.list('parent', '').map((entry) => entry.key)).to.have.members(stored.map((one) => one.key));
  }
}
