import { LRUCache } from 'lru-cache';
import type { Revision } from '../backend.js';
import type { ResourceState } from '../state.js';

/** Resolution 0 reads the clock at every look-up, because tests replace the clock. */
const KEPT = { max: 64, ttl: 5 * 60 * 1000, ttlResolution: 0 };

export interface Snapshot {
  readonly resource: string;
  readonly revision: Revision;
  readonly state: ResourceState;
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
  keep(resource: string, revision: Revision, state: ResourceState): void {
    this.#kept.purgeStale();
    this.#kept.set(keyOf(resource, revision), { resource, revision, state });
  }

  find(resource: string, revision: Revision): ResourceState | undefined {
    return this.#kept.get(keyOf(resource, revision))?.state;
  }

  /** All snapshots of a resource. */
  of(resource: string): readonly Snapshot[] {
    this.#kept.purgeStale();
    return [...this.#kept.values()].filter((one) => one.resource === resource);
  }
}

function keyOf(resource: string, revision: Revision): string {
  return `${resource} ${revision}`;
}
