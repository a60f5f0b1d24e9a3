import type { Ring } from '../../storage/cacher/ring.js';
import { isStorageError } from '../../storage/errors.js';
import { partsOf } from '../../storage/key.js';
import type { Owner } from '../../storage/state/resource.js';
import { DEPENDENT_INDEX, dependentTuple } from '../kinds/dependence.js';
import type { Kind } from '../kinds/kind.js';
import { ownerExists } from '../kinds/orphans.js';
import type { Registry } from '../kinds/registry.js';
import type { Entry } from '../read/reader.js';
import type { Removal } from './removal.js';

/** Milliseconds after which all owners are looked at again, in case an object was left. */
const LOOK_EVERY = 3_600_000;

interface NamespacedOwner extends Owner {
  readonly namespace: string;
}

/**
 * Removes the objects whose owners are gone. First it looks at all owners that the index has. From then on it follows
 * the deletions of owners.
 */
export function orphanedObjects(registry: Registry, kind: Kind): readonly Removal[] {
  return kind.dependsOn === undefined ? [] : [new OrphanedObjects(registry, kind, kind.dependsOn.resource)];
}

class OrphanedObjects implements Removal {
  readonly kind: Kind;
  readonly wokenBy: string;
  readonly #registry: Registry;
  /** All deletions of owners up to this revision are purged. Absent if that is not known. */
  #purged: number | undefined;
  /** That of the cache then. Revisions of another log say nothing. */
  #logId = 0;
  #reached = 0;
  #lookedAt = 0;

  constructor(registry: Registry, kind: Kind, wokenBy: string) {
    this.#registry = registry;
    this.kind = kind;
    this.wokenBy = wokenBy;
  }

  objects(): Iterable<Entry | undefined> {
    const { cacher, clock } = this.#registry;
    this.#reached = cacher.state.revision;
    if (this.#logId !== cacher.logId) this.#purged = undefined;
    this.#logId = cacher.logId;
    const deleted = clock.now() - this.#lookedAt < LOOK_EVERY ? this.#deleted(cacher.ring(this.wokenBy)) : undefined;
    return this.#dependentsOf(deleted ?? this.#owners());
  }

  done(): void {
    this.#purged = this.#reached;
  }

  restart(): void {
    this.#purged = undefined;
  }

  /** The owners that were deleted since the last purge. Absent if the ring does not have all of them. */
  #deleted(ring: Ring): readonly NamespacedOwner[] | undefined {
    if (this.#purged === undefined) return undefined;
    const deleted: NamespacedOwner[] = [];
    try {
      for (let position = ring.position(this.#purged); position < ring.end; position++) {
        const event = ring.at(position);
        const uid = event?.previous?.attributes.uid;
        if (event === undefined || event.current !== undefined || uid === undefined) continue;
        const { namespace, name } = partsOf(event.key);
        deleted.push({ namespace, name, uid });
      }
    } catch (error) {
      if (!isStorageError(error, 'compacted')) throw error;
      return undefined;
    }
    return deleted;
  }

  /** All owners of stored objects. Counts read no objects. */
  *#owners(): Generator<NamespacedOwner, void, undefined> {
    const { reader, clock } = this.#registry;
    this.#lookedAt = clock.now();
    for (const { tuple } of reader.counts(this.kind.qualified, DEPENDENT_INDEX, [])) {
      const [namespace = '', name = '', uid = ''] = tuple.map(String);
      yield { namespace, name, uid };
    }
  }

  *#dependentsOf(owners: Iterable<NamespacedOwner>): Generator<Entry | undefined, void, undefined> {
    const { reader } = this.#registry;
    for (const { namespace, ...owner } of owners) {
      yield undefined;
      if (ownerExists(this.kind, namespace, owner, reader)) continue;
      yield* reader.walk(this.kind.qualified, DEPENDENT_INDEX, dependentTuple(namespace, owner));
    }
  }
}
