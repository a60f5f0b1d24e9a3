import type { Bytes, Change, Revision } from '../backend.js';
import type { Key } from '../key.js';
import { asBuffer, withRevision } from '../state/codec.js';
import { type Entry, entryOf } from '../state/entry.js';
import type { ResourceDefinition } from '../state/resource.js';

export type EventType = 'ADDED' | 'MODIFIED' | 'DELETED';

/** One change, as watchers see it. Each of its frames is encoded once for all watchers. */
export interface Event {
  readonly key: Key;
  readonly revision: Revision;
  readonly current: Entry | undefined;
  readonly previous: Entry | undefined;
}

/** An event for one watcher, with the type that this watcher sees. */
export interface Delivery {
  readonly type: EventType;
  readonly event: Event;
}

/**
 * The object of a delivery. A deleted one is its last state with the revision of the deletion (docs/wire-contract.md,
 * sections 4.8, 4.9).
 */
export function objectOf({ type, event }: Delivery): Bytes {
  const { current, previous, revision } = event;
  if (type !== 'DELETED' && current !== undefined) return current.value;
  if (previous === undefined) throw new Error(`event ${revision} has no object`);
  return withRevision(previous.value, revision);
}

/** A watch frame: `{"type":…,"object":…}` and a newline. */
export function frameOf(type: string, object: Bytes): Buffer {
  return Buffer.concat([Buffer.from(`{"type":"${type}","object":`), asBuffer(object), NEWLINE]);
}

const NEWLINE = Buffer.from('}\n');

/**
 * The type of an event for one watcher: DELETED if the object leaves its selection, ADDED if it enters, undefined if it
 * was never in it.
 */
export function deliveryType(event: Event, selects: (entry: Entry) => boolean): EventType | undefined {
  const now = event.current !== undefined && selects(event.current);
  const before = event.previous !== undefined && selects(event.previous);
  if (now) return before ? 'MODIFIED' : 'ADDED';
  return before ? 'DELETED' : undefined;
}

/** The event of a change of the log. `known` is the previous entry if the cache has it, and saves decoding it. */
export function eventOf(definition: ResourceDefinition, change: Change, known: Entry | undefined): Event {
  const { key, revision, value, previous } = change;
  const entry = (at: Revision, bytes: Bytes): Entry => entryOf(definition, key, at, bytes);
  return {
    key,
    revision,
    current: value === undefined ? undefined : entry(revision, value),
    previous: known ?? (previous === undefined ? undefined : entry(previous.revision, previous.value)),
  };
}
