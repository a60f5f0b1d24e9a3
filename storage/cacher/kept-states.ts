import { LRUCache } from 'lru-cache';
import type { Revision } from '../backend.js';
import type { ResourceState } from '../state/resource-state.js';

/** Resolution 0 reads the clock at every look-up, because tests replace the clock. */
const KEPT = { max: 64, ttl: 5 * 60 * 1000, ttlResolution: 0 };

/** A state of a resource that is kept. */
export interface KeptState {
  readonly resource: string;
  readonly revision: Revision;
  readonly state: ResourceState;
  /**
   * The position in the ring of its resource, and `Ring.mark` there. If the state is older than the ring, both are
   * smaller than those of the start of the ring.
   */
  readonly position: number;
  readonly mark: number;
}

/**
 * States that a client is paging through, and earlier states that were expensive to make. A kept state costs only what
 * has changed since, but it keeps that alive, so there are few, and for a short time.
 */
export class KeptStates {
  readonly #kept: LRUCache<string, KeptState>;

  constructor(now: () => number) {
    this.#kept = new LRUCache({ ...KEPT, perf: { now } });
  }

  /** Keeps a state for five minutes from now. */
  keep(keptState: KeptState): void {
    this.#kept.purgeStale();
    this.#kept.set(keyOf(keptState.resource, keptState.revision), keptState);
  }

  find(resource: string, revision: Revision): ResourceState | undefined {
    return this.#kept.get(keyOf(resource, revision))?.state;
  }

  /** All kept states of a resource. */
  of(resource: string): readonly KeptState[] {
    return this.all().filter((one) => one.resource === resource);
  }

  all(): readonly KeptState[] {
    if (this.#kept.size === 0) return NONE;
    this.#kept.purgeStale();
    return [...this.#kept.values()];
  }

  clear(): void {
    this.#kept.clear();
  }

  forget({ resource, revision }: KeptState): void {
    this.#kept.delete(keyOf(resource, revision));
  }
}

const NONE: readonly KeptState[] = [];

function keyOf(resource: string, revision: Revision): string {
  return `${resource} ${revision}`;
}
