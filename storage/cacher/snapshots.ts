import { LRUCache } from 'lru-cache';
import type { Revision } from '../backend.js';
import type { ResourceState } from '../resource-state.js';

/** Resolution 0 reads the clock at every look-up, because tests replace the clock. */
const KEPT = { max: 64, ttl: 5 * 60 * 1000, ttlResolution: 0 };

export interface Snapshot {
  readonly resource: string;
  readonly revision: Revision;
  readonly state: ResourceState;
  /** Where it is in the ring of its resource: the position, and `Ring.mark` there. Before the ring, both are smaller than those of its start. */
  readonly position: number;
  readonly mark: number;
}

/**
 * States that a client is paging through, and earlier states that were expensive to make. A snapshot costs only what has changed since,
 * but it keeps that alive, so there are few, and for a short time.
 */
export class Snapshots {
  readonly #kept: LRUCache<string, Snapshot>;

  constructor(now: () => number) {
    this.#kept = new LRUCache({ ...KEPT, perf: { now } });
  }

  /** Keeps a state for five minutes from now. */
  keep(snapshot: Snapshot): void {
    this.#kept.purgeStale();
    this.#kept.set(keyOf(snapshot.resource, snapshot.revision), snapshot);
  }

  find(resource: string, revision: Revision): ResourceState | undefined {
    return this.#kept.get(keyOf(resource, revision))?.state;
  }

  /** All snapshots of a resource. */
  of(resource: string): readonly Snapshot[] {
    return this.all().filter((one) => one.resource === resource);
  }

  all(): readonly Snapshot[] {
    if (this.#kept.size === 0) return NONE;
    this.#kept.purgeStale();
    return [...this.#kept.values()];
  }

  forget({ resource, revision }: Snapshot): void {
    this.#kept.delete(keyOf(resource, revision));
  }
}

const NONE: readonly Snapshot[] = [];

function keyOf(resource: string, revision: Revision): string {
  return `${resource} ${revision}`;
}
