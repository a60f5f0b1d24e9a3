import type { Backend } from '../../storage/backend.js';
import { Cacher } from '../../storage/cacher/cacher.js';
import { Engine } from '../../storage/engine/engine.js';
import { memoryStore, openMemory } from '../../storage/memory/backend.js';
import { createAuthorizer } from '../authorization/permission-authorizer.js';
import type { GrantSource } from '../kinds/authorizer.js';
import { CompiledKinds } from '../kinds/compiled.js';
import type { Kind } from '../kinds/kind.js';
import { KindSet, type KindSource } from '../kinds/kind-set.js';
import { type Registry, resourceDefinitions } from '../kinds/registry.js';
import { DEFAULT_RETENTION } from '../kinds/retention.js';
import { Reader } from '../read/reader.js';

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
  readonly source?: KindSource;
  readonly own: Partial<Omit<Registry, 'kinds' | 'compiled' | 'hasKind' | 'fateOf'>> & Pick<Registry, 'report'>;
}

export async function openRegistry(kinds: readonly Kind[], { now, grants, source, own }: Given): Promise<OpenRegistry> {
  const backend = openMemory(memoryStore(), now);
  const kindSet = new KindSet(kinds, source);
  const definitions = resourceDefinitions(kinds);
  const cacher = await Cacher.open(backend, {
    definitions,
    ...(source && { defined: kindSet }),
    now,
    onError: rethrow,
  });
  const engine = new Engine(backend, cacher);
  const registry: Registry = {
    get kinds() {
      return kindSet.at(cacher);
    },
    compiled: new CompiledKinds(kinds),
    hasKind: (kind, state) => kindSet.has(kind, state),
    fateOf: (kind, state) => kindSet.fate(kind, state),
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
