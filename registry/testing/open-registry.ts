import type { Backend } from '../../storage/backend.js';
import { Cacher } from '../../storage/cacher/cacher.js';
import { Engine } from '../../storage/engine.js';
import { memoryStore, openMemory } from '../../storage/memory/backend.js';
import type { GrantSource } from '../authorization/authorizer.js';
import { createAuthorizer } from '../authorization/permission-authorizer.js';
import { DEFAULT_RETENTION } from '../history/retention.js';
import type { Kind } from '../kind.js';
import { Reader } from '../reader.js';
import { type Registry, resourceDefinitions } from '../registry.js';

/** A registry on an empty store in memory. */
export interface OpenRegistry {
  readonly registry: Registry;
  readonly backend: Backend;
  close(): Promise<void>;
}

export interface Given {
  /** Milliseconds since the epoch, for the store and for the registry. */
  readonly now: () => number;
  readonly grants: GrantSource;
  /** Other members of the registry. Without them it has no namespaces, no history and no apply sets. */
  readonly own: Partial<Registry> & Pick<Registry, 'report'>;
}

export async function openRegistry(kinds: readonly Kind[], { now, grants, own }: Given): Promise<OpenRegistry> {
  const backend = openMemory(memoryStore(), now);
  const cacher = await Cacher.open(backend, { definitions: resourceDefinitions(kinds), now, onError: rethrow });
  const engine = new Engine(backend, cacher);
  const registry: Registry = {
    kinds,
    namespaces: undefined,
    retained: undefined,
    retention: DEFAULT_RETENTION,
    applySets: undefined,
    cacher,
    writer: engine,
    clock: { now },
    authorizer: createAuthorizer(kinds, grants),
    reader: new Reader(cacher),
    acceptsMissing: true,
    ...own,
  };
  const close = async (): Promise<void> => {
    await engine.close();
    await cacher.close();
    await backend.close();
  };
  return { registry, backend, close };
}

function rethrow(error: unknown): never {
  throw error;
}
