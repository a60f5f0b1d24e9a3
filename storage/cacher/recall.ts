import type { Backend, Change, Revision } from '../backend.js';
import { type Entry, entryOf } from '../entry.js';
import { isStorageError } from '../errors.js';
import { type Key, resourceOf } from '../key.js';
import type { ResourceDefinition } from '../resource.js';
import type { State } from '../state.js';
import { Stretches } from '../stretch.js';
import type { Event } from './event.js';
import type { Recent } from './recent.js';
import type { Ring } from './ring.js';

export interface RecallSource {
  readonly backend: Backend;
  readonly definitions: ReadonlyMap<string, ResourceDefinition>;
  readonly recent: Recent;
  /** The newest state. */
  readonly state: State;
  readonly signal: AbortSignal;
}

/**
 * Reads the changes after `revision` that are no longer in the rings, or never were, because a server starts without them. If all of them have room,
 * they are put into the rings. Otherwise, or if the log does not have them any more, the rings stay as they are.
 */
export async function recall(source: RecallSource, revision: Revision): Promise<void> {
  const { recent, backend, signal } = source;
  const through = recent.floor;
  if (through <= revision) return;
  const older = new Older(source);
  const stretches = new Stretches();
  try {
    for await (const commit of backend.tail(revision, signal)) {
      for (const change of commit.changes) if (!older.add(change)) return;
      if (commit.end >= through) break;
      if (stretches.isOver) await stretches.rest();
    }
  } catch (error) {
    if (isStorageError(error, 'compacted')) return;
    throw error;
  }
  if (!signal.aborted) older.publish(revision);
}

/** The events before those in the rings. */
class Older {
  readonly #source: RecallSource;
  readonly #rings: ReadonlyMap<string, { readonly ring: Ring; readonly floor: Revision; readonly events: Event[] }>;
  /** The last object of each key, so that an event and the next one share it. */
  readonly #last = new Map<Key, Entry | undefined>();
  #free: number;

  constructor(source: RecallSource) {
    this.#source = source;
    this.#free = source.recent.free;
    this.#rings = new Map(
      [...source.recent.rings].map(([resource, ring]) => [resource, { ring, floor: ring.floor, events: [] }]),
    );
  }

  /** Returns false if there is no room for it. */
  add(change: Change): boolean {
    const own = this.#rings.get(resourceOf(change.key));
    const definition = this.#source.definitions.get(resourceOf(change.key));
    if (own === undefined || definition === undefined || change.revision > own.floor) return true;
    const event = this.#eventOf(definition, change);
    this.#free -= own.ring.costOf(event);
    own.events.push(event);
    return this.#free >= 0 && own.events.length <= own.ring.room;
  }

  /** Does nothing if events have left the rings meanwhile, because there would be a gap. */
  publish(floor: Revision): void {
    const all = [...this.#rings.values()];
    if (all.some((one) => one.ring.floor !== one.floor || one.events.length > one.ring.room)) return;
    for (const { ring, events } of all) if (ring.floor > floor) ring.prepend(events, floor);
    this.#source.recent.trim();
  }

  #eventOf(definition: ResourceDefinition, { key, revision, value, previous }: Change): Event {
    const before = this.#last.has(key)
      ? this.#last.get(key)
      : previous && entryOf(definition, key, previous.revision, previous.value);
    const current = value && (this.#newest(definition, key, revision) ?? entryOf(definition, key, revision, value));
    this.#last.set(key, current);
    return { key, revision, current, previous: before };
  }

  /** The object of the newest state, if this change wrote it. */
  #newest({ cached, resource }: ResourceDefinition, key: Key, revision: Revision): Entry | undefined {
    const entry = cached ? this.#source.state.resource(resource).get(key) : undefined;
    return entry?.revision === revision ? entry : undefined;
  }
}
