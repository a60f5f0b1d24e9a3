import type { Revision } from '../backend.js';
import type { ResourceState } from '../state/resource-state.js';
import { type KeptState, KeptStates } from './kept-states.js';
import { RING_LIMITS, Ring, type RingLimits } from './ring.js';

/** The bytes of the trees that a change copies for each kept state, and the most bytes of all trees of an object. */
const COPIED = 6 * 1024;
const TREES = 100;

interface RecentSizes {
  readonly events: number;
  /** The bytes that the events, their frames and the kept states keep alive. */
  readonly ringBytes: number;
  readonly keptStates: number;
  readonly keptBytes: number;
}

/**
 * The recent changes of all resources, and kept states. Together they keep at most the limit of bytes alive. The oldest
 * are dropped first, and read from the log if they are needed again.
 */
export class Recent {
  readonly keptStates: KeptStates;
  readonly limits: RingLimits;
  readonly #rings = new Map<string, Ring>();
  readonly #isInMemory: (resource: string) => boolean;
  /** Resources without a ring have had no changes after it. */
  #base: Revision = 0;

  /** `isInMemory`: the objects of the resource stay in memory anyway, so its events take no more. */
  constructor(
    now: () => number,
    limits: RingLimits = RING_LIMITS,
    isInMemory: (resource: string) => boolean = () => true,
  ) {
    this.keptStates = new KeptStates(now);
    this.limits = limits;
    this.#isInMemory = isInMemory;
  }

  /** A ring for the changes after a revision. */
  empty(floor: Revision, resource: string): Ring {
    return new Ring(floor, this.limits, this.#isInMemory(resource));
  }

  get rings(): ReadonlyMap<string, Ring> {
    return this.#rings;
  }

  ring(resource: string): Ring {
    let ring = this.#rings.get(resource);
    if (ring === undefined) {
      ring = this.empty(this.#base, resource);
      this.#rings.set(resource, ring);
    }
    return ring;
  }

  /** The highest floor of the rings: after it, they have the events of all resources. */
  get floor(): Revision {
    let floor = this.#base;
    for (const ring of this.#rings.values()) floor = Math.max(floor, ring.floor);
    return floor;
  }

  /** Starts again after a load of the state. Readers of the former rings find that they are retired. */
  replace(rings: ReadonlyMap<string, Ring>, base: Revision): void {
    for (const ring of this.#rings.values()) ring.retire();
    this.#rings.clear();
    this.#base = base;
    for (const [resource, ring] of rings) this.#rings.set(resource, ring);
  }

  /** Nothing that was read from the log before is of this log. */
  diverged(): void {
    this.keptStates.clear();
  }

  /** All changes after a revision were read from the log. */
  recalled(revision: Revision): void {
    this.#base = Math.min(this.#base, revision);
  }

  keep(keptState: KeptState): void {
    this.keptStates.keep(keptState);
    this.trim();
  }

  sizes(): RecentSizes {
    let [events, ringBytes] = [0, 0];
    for (const ring of this.#rings.values()) {
      events += ring.end - ring.start;
      ringBytes += ring.bytes;
    }
    const all = this.keptStates.all();
    return { events, ringBytes, keptStates: all.length, keptBytes: this.#pinned(all) };
  }

  /** How many bytes are free. */
  get free(): number {
    const { ringBytes, keptBytes } = this.sizes();
    return this.limits.bytes - ringBytes - keptBytes;
  }

  /** Drops the oldest events and states above the limit. Call it after each commit. */
  trim(): void {
    for (;;) {
      const { events, ringBytes, keptStates, keptBytes } = this.sizes();
      if (ringBytes + keptBytes <= this.limits.bytes) return;
      const oldest = keptStates === 0 ? undefined : this.#oldestBeforeRing(events);
      if (oldest !== undefined) this.keptStates.forget(oldest);
      else if (events > 1) this.#dropOldest(ringBytes - this.limits.bytes, events - 1);
      else return;
    }
  }

  /**
   * A kept state that is older than the events that are left. Dropping more of these would free nothing, because the
   * state keeps their objects alive.
   */
  #oldestBeforeRing(events: number): KeptState | undefined {
    const isBefore = ({ resource, position }: KeptState): boolean => position < this.ring(resource).start;
    const all = this.keptStates.all();
    return (events > 1 ? all.filter(isBefore) : all).toSorted((a, b) => a.revision - b.revision)[0];
  }

  /**
   * The bytes that only the kept states keep alive: objects that were replaced after them and have left the rings, and
   * their own nodes of the trees.
   */
  #pinned(all: readonly KeptState[]): number {
    const marks = new Map<string, number>();
    let bytes = 0;
    for (const { resource, mark, position, state } of all) {
      marks.set(resource, Math.min(mark, marks.get(resource) ?? mark));
      bytes += treesOf(state, this.ring(resource).end - position);
    }
    for (const [resource, mark] of marks) {
      const ring = this.ring(resource);
      bytes += Math.max(0, ring.mark(ring.start) - mark);
    }
    return bytes;
  }

  /**
   * Drops the oldest event, and those after it that are in the same ring and older than those of all others, until
   * `bytes` are free. At most `most`, because one commit may have thousands of events.
   */
  #dropOldest(bytes: number, most: number): void {
    let oldest: Ring | undefined;
    let [from, until] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (const ring of this.#rings.values()) {
      const first = ring.oldest ?? Number.POSITIVE_INFINITY;
      if (first >= from) until = Math.min(until, first);
      else [oldest, from, until] = [ring, first, from];
    }
    if (oldest === undefined) return;
    const enough = oldest.bytes - bytes;
    let dropped = 0;
    do oldest.drop();
    while (++dropped < most && oldest.bytes > enough && (oldest.oldest ?? until) < until);
  }
}

function treesOf(state: ResourceState, changes: number): number {
  return Math.min(changes * COPIED, state.size * TREES);
}
