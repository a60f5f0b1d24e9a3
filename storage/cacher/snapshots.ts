import type { Revision } from '../backend.js';
import type { ResourceState } from '../state.js';

const KEPT_FOR = 5 * 60 * 1000;
const KEPT_AT_MOST = 64;

export interface Snapshot {
  readonly resource: string;
  readonly revision: Revision;
  readonly state: ResourceState;
  readonly expires: number;
}

/** States that a client is paging through, and earlier ones that took long to make. They cost only what has changed since, but they keep that alive: few, and not for long. */
export class Snapshots {
  readonly #now: () => number;
  #kept: Snapshot[] = [];

  constructor(now: () => number) {
    this.#now = now;
  }

  keep(resource: string, revision: Revision, state: ResourceState): void {
    const now = this.#now();
    const others = this.#kept.filter(
      (one) => one.expires > now && !(one.resource === resource && one.revision === revision),
    );
    this.#kept = [...others.slice(1 - KEPT_AT_MOST), { resource, revision, state, expires: now + KEPT_FOR }];
  }

  find(resource: string, revision: Revision): ResourceState | undefined {
    return this.of(resource).find((one) => one.revision === revision)?.state;
  }

  /** All that are kept of a resource. */
  of(resource: string): readonly Snapshot[] {
    const now = this.#now();
    this.#kept = this.#kept.filter((one) => one.expires > now);
    return this.#kept.filter((one) => one.resource === resource);
  }
}
