import type { Revision } from '../backend.js';
import type { Entry } from '../state/entry.js';
import { type Delivery, deliveryType, type Event, type EventType } from './event.js';
import { isInScope, type WatchScope } from './watchers.js';

/** The largest step that is read from the ring before the consumer takes it, because its socket may be slow. */
export const STEP_DELIVERIES = 256;

export interface WatchOptions {
  readonly resource: string;
  /** Events after this revision. */
  readonly after: Revision;
  /** Only events in this scope are delivered. */
  readonly scope?: WatchScope | undefined;
  /** Label and field selectors, and permissions, in one function. */
  selects(entry: Entry): boolean;
  readonly signal: AbortSignal;
}

export interface Delivered extends Delivery {
  /** The frame of the event. Events of the ring have it encoded once for all watchers. */
  frame(): Buffer;
}

export interface WatchStep {
  readonly deliveries: readonly Delivered[];
  /**
   * The revision, the end of a commit, up to which everything is delivered with this step; undefined if more events
   * follow.
   */
  readonly through: Revision | undefined;
}

/**
 * The delivery of an event to a watcher. Undefined if the watcher gets none. A watch may start at a revision that this
 * server has not reached yet.
 */
export function typeFor(event: Event, { after, scope, selects }: WatchOptions): EventType | undefined {
  if (event.revision <= after || (scope !== undefined && !isInScope(event.key, scope))) return undefined;
  return deliveryType(event, selects);
}
