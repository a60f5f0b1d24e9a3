import pLimit from 'p-limit';
import type { Backend, Change, Revision } from '../backend.js';
import { isStorageError } from '../errors.js';
import { type Key, resourceOf } from '../key.js';
import type { Definitions } from '../state/definitions.js';
import { type Entry, entryOf } from '../state/entry.js';
import type { ResourceDefinition } from '../state/resource.js';
import type { State } from '../state/state.js';
import type { Event } from './event.js';
import type { Recent } from './recent.js';
import type { Ring } from './ring.js';

interface RecallSource {
  readonly backend: Backend;
  readonly definitions: Definitions;
  readonly recent: Recent;
  /** The newest state. */
  readonly state: State;
  readonly signal: AbortSignal;
}

/** Recalls changes, one caller after another. */
export class Recalls {
  readonly #oneAtATime = pLimit(1);
  /** All changes after it that have room were recalled. */
  #to: Revision = Number.POSITIVE_INFINITY;

  async recall(source: () => RecallSource, revision: Revision): Promise<void> {
    if (revision >= this.#to) return;
    await this.#oneAtATime(async () => {
      if (revision >= this.#to) return;
      await recall(source(), revision);
      this.#to = revision;
    });
  }
}

/**
 * Reads the changes after `revision` that are no longer in the rings, or never were, because a server starts without
 * them. They are put into the rings of the resources whose changes have room; the resources with the most changes are
 * left out first. If the log does not have all changes any more, the rings stay as they are.
 */
async function recall(source: RecallSource, revision: Revision): Promise<void> {
  const { recent, backend, signal } = source;
  const through = recent.floor;
  if (through <= revision) return;
  const older = new Older(source);
  try {
    for await (const commit of backend.tail(revision, signal)) {
      for (const change of commit.changes) older.add(change);
      if (commit.end >= through) break;
    }
  } catch (error) {
    if (isStorageError(error, 'compacted')) return;
    throw error;
  }
  if (!signal.aborted) older.publish(revision);
}

/** The events of one resource before those in its ring. */
interface Recalled {
  readonly ring: Ring;
  readonly floor: Revision;
  readonly events: Event[];
  /** The last object of each key, so that an event and the next one share it. */
  readonly last: Map<Key, Entry | undefined>;
  bytes: number;
  isLeftOut: boolean;
}

function recalledInto(ring: Ring): Recalled {
  return { ring, floor: ring.floor, events: [], last: new Map(), bytes: 0, isLeftOut: false };
}

class Older {
  readonly #source: RecallSource;
  readonly #recalled: Map<string, Recalled>;
  #free: number;

  constructor(source: RecallSource) {
    this.#source = source;
    this.#free = source.recent.free;
    this.#recalled = new Map(
      [...source.recent.rings].map(([resource, ring]): [string, Recalled] => [resource, recalledInto(ring)]),
    );
  }

  add(change: Change): void {
    const resource = resourceOf(change.key);
    const definition = this.#source.definitions.find(resource, this.#source.state);
    if (definition === undefined) return;
    const own = this.#of(resource);
    if (own.isLeftOut || change.revision > own.floor) return;
    const event = this.#eventOf(definition, own, change);
    const bytes = own.ring.costOf(event);
    own.events.push(event);
    own.bytes += bytes;
    this.#free -= bytes;
    if (own.events.length > own.ring.room) this.#leaveOut(own);
    else if (this.#free < 0) this.#leaveOut(this.#largest());
  }

  /** A ring that has lost events meanwhile stays as it is, because there would be a gap. */
  publish(floor: Revision): void {
    for (const { ring, events, isLeftOut, floor: before } of this.#recalled.values()) {
      if (isLeftOut || ring.floor !== before || before <= floor || events.length > ring.room) continue;
      ring.prepend(events, floor);
    }
    this.#source.recent.recalled(floor);
    this.#source.recent.trim();
  }

  #of(resource: string): Recalled {
    let own = this.#recalled.get(resource);
    if (own === undefined) {
      own = recalledInto(this.#source.recent.ring(resource));
      this.#recalled.set(resource, own);
    }
    return own;
  }

  #largest(): Recalled {
    return [...this.#recalled.values()].reduce((most, one) => (one.bytes > most.bytes ? one : most));
  }

  #leaveOut(one: Recalled): void {
    this.#free += one.bytes;
    one.bytes = 0;
    one.events.length = 0;
    one.last.clear();
    one.isLeftOut = true;
  }

  #eventOf(definition: ResourceDefinition, { last }: Recalled, { key, revision, value, previous }: Change): Event {
    const before = last.has(key)
      ? last.get(key)
      : previous && entryOf(definition, key, previous.revision, previous.value);
    const current = value && (this.#newest(definition, key, revision) ?? entryOf(definition, key, revision, value));
    last.set(key, current);
    return { key, revision, current, previous: before };
  }

  /** The object of the newest state, if this change wrote it. */
  #newest({ resource }: ResourceDefinition, key: Key, revision: Revision): Entry | undefined {
    const entry = this.#source.state.resource(resource).get(key);
    return entry?.revision === revision ? entry : undefined;
  }
}
