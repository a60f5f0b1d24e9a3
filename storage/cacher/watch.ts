import { setImmediate } from 'node:timers/promises';
import type { Revision } from '../backend.js';
import type { Entry } from '../entry.js';
import type { Cacher } from './cacher.js';
import { type Delivery, deliveryType } from './event.js';
import type { Ring } from './ring.js';

/** The largest step that is read from the ring before the consumer takes it, because its socket may be slow. */
const STEP_DELIVERIES = 256;
const STEP_EVENTS = 4096;

export interface WatchOptions {
  readonly resource: string;
  /** Events after this revision. */
  readonly after: Revision;
  /** Label and field selectors, namespace and permissions in one function. */
  selects(entry: Entry): boolean;
  readonly signal: AbortSignal;
}

export interface Delivered extends Delivery {
  readonly frame: () => Buffer;
}

export interface WatchStep {
  readonly deliveries: readonly Delivered[];
  /** The revision, the end of a commit, up to which everything is delivered with this step; undefined if more events follow. */
  readonly through: Revision | undefined;
}

/**
 * Yields the changes after a revision, in order and without gaps, and about once a second an empty step to check the clock. Ends when the
 * signal aborts or the cache closes. Throws `compacted` if the revision, or later the position of a slow consumer, has left the ring.
 */
export async function* watch(cacher: Cacher, options: WatchOptions): AsyncGenerator<WatchStep, void, undefined> {
  const ring = cacher.ring(options.resource);
  let position = ring.position(options.after);
  while (!options.signal.aborted && !cacher.closed) {
    const { deliveries, next } = take(ring, position, options);
    position = next;
    const atEnd = position === ring.end;
    yield { deliveries, through: atEnd ? Math.max(cacher.state.revision, options.after) : undefined };
    if (position === ring.end) await ring.changed.waitOrAbort(options.signal);
    // A watcher that is far behind may have nothing to write, and so never waits for its socket. Others must run too.
    else await setImmediate();
  }
}

function take(ring: Ring, from: number, options: WatchOptions): { deliveries: readonly Delivered[]; next: number } {
  const deliveries: Delivered[] = [];
  const limit = Math.min(ring.end, from + STEP_EVENTS);
  let position = from;
  ring.at(position);
  for (; position < limit && deliveries.length < STEP_DELIVERIES; position++) {
    const event = ring.at(position);
    // A watch may start at a revision that this server has not reached yet.
    if (event === undefined || event.revision <= options.after) continue;
    const type = deliveryType(event, options.selects);
    if (type === undefined) continue;
    const at = position;
    const delivery = { type, event };
    deliveries.push({ ...delivery, frame: () => ring.frame(at, delivery) });
  }
  return { deliveries, next: position };
}
