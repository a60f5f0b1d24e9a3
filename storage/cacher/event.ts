import type { Bytes, Change, Revision } from '../backend.js';
import { asBuffer, withRevision } from '../codec.js';
import type { Key } from '../key.js';
import type { ResourceDefinition } from '../resource.js';
import { type Entry, entryOf } from '../state.js';

export type EventType = 'ADDED' | 'MODIFIED' | 'DELETED';

/** One change, as watchers see it. Its frames are encoded at most once, whoever watches. */
export interface Event {
  readonly key: Key;
  readonly revision: Revision;
  readonly current: Entry | undefined;
  readonly previous: Entry | undefined;
}

/** What a watcher is told of an event: the type, and the object at the event's revision. */
export interface Delivery {
  readonly type: EventType;
  readonly event: Event;
}

/** The object of a delivery: a deleted one is its last state with the revision of the deletion (wire contract, sections 4.8, 4.9). */
export function objectOf({ type, event }: Delivery): Bytes {
  const { current, previous, revision } = event;
  if (type !== 'DELETED' && current !== undefined) return current.value;
  if (previous === undefined) throw new Error(`event ${revision} has no object to show`);
  return withRevision(previous.value, revision);
}

/** A watch frame: `{"type":…,"object":…}` and a newline. */
export function frameOf(type: string, object: Bytes): Buffer {
  return Buffer.concat([Buffer.from(`{"type":"${type}","object":`), asBuffer(object), NEWLINE]);
}

const NEWLINE = Buffer.from('}\n');

/**
 * The type of an event for one watcher: leaving its selection is a deletion, entering it an addition; `undefined`: not for it.
 */
export function deliveryType(event: Event, selects: (entry: Entry) => boolean): EventType | undefined {
  const now = event.current !== undefined && selects(event.current);
  const before = event.previous !== undefined && selects(event.previous);
  if (now) return before ? 'MODIFIED' : 'ADDED';
  return before ? 'DELETED' : undefined;
}

/** The event of a logged change; `known` spares decoding the previous value where the cache has it. */
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
