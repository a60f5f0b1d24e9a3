import type { Ring } from '../../storage/cacher/ring.js';
import { isStorageError } from '../../storage/errors.js';
import { partsOf } from '../../storage/key.js';
import { behind } from '../../storage/range.js';
import type { Owner } from '../../storage/resource.js';
import { decodeTuple, encodeTuple, prefixEnd } from '../../storage/tuple.js';
import { DEPENDENT_INDEX, dependentTuple } from '../dependence.js';
import type { Kind } from '../kind.js';
import { ownerExists } from '../orphans.js';
import type { Registry } from '../registry.js';
import type { PurgeRange, Removal } from './removal.js';

/** The number of owners that are read at once. */
const OWNERS = 1000;
/** Milliseconds after which all owners are looked at again, in case an object was left. */
const LOOK_EVERY = 3_600_000;

interface NamespacedOwner extends Owner {
  readonly namespace: string;
}

/**
 * Removes the objects whose owners are gone. First it looks at all owners that the index counts. From then on it follows the deletions of owners.
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
  #reached = 0;
  #lookedAt = 0;

  constructor(registry: Registry, kind: Kind, wokenBy: string) {
    this.#registry = registry;
    this.kind = kind;
    this.wokenBy = wokenBy;
  }

  async ranges(): Promise<Iterable<PurgeRange>> {
    const { cacher, clock } = this.#registry;
    this.#reached = cacher.state.revision;
    const deleted = clock.now() - this.#lookedAt < LOOK_EVERY ? this.#deleted(cacher.ring(this.wokenBy)) : undefined;
    return dependentsOf(deleted ?? (await this.#gone()));
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

  /** All owners of stored objects that do not exist. */
  async #gone(): Promise<readonly NamespacedOwner[]> {
    const { uncached, reader, clock } = this.#registry;
    this.#lookedAt = clock.now();
    const gone: NamespacedOwner[] = [];
    let rest = { index: DEPENDENT_INDEX, from: '', to: prefixEnd(''), limit: OWNERS };
    for (;;) {
      const counts = await uncached.counts(this.kind.qualified, rest);
      for (const { tuple } of counts) {
        const [namespace = '', name = '', uid = ''] = (decodeTuple(tuple) ?? []).map(String);
        const owner = { name, uid };
        if (!ownerExists(this.kind, namespace, owner, reader)) gone.push({ namespace, ...owner });
      }
      const last = counts.at(-1);
      if (last === undefined || counts.length < OWNERS) return gone;
      rest = { ...rest, ...behind(rest, last.tuple) };
    }
  }
}

/** The dependents of each owner. Each range is made when it is needed, because there may be thousands. */
function* dependentsOf(owners: readonly NamespacedOwner[]): Generator<PurgeRange> {
  for (const { namespace, ...owner } of owners) {
    const from = encodeTuple(dependentTuple(namespace, owner));
    yield { index: DEPENDENT_INDEX, from, to: prefixEnd(from) };
  }
}
