import { setImmediate } from 'node:timers/promises';
import type { Revision } from '../backend.js';
import type { Entry } from '../entry.js';
import { isStorageError } from '../errors.js';
import type { Cacher } from './cacher.js';
import { type Delivery, deliveryType, type Event, frameOf, objectOf } from './event.js';
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

/** How far a watch has come: the revision of the last event that its consumer has taken. */
interface Progress {
  after: Revision;
}

/**
 * Yields the changes after a revision, in order and without gaps, and about once a second an empty step to check the clock. Ends when the
 * signal aborts or the cache closes. What is not in the ring, or has left it because the consumer is slow, is read from the log. Throws
 * `compacted` if the log does not have it any more.
 */
export async function* watch(cacher: Cacher, options: WatchOptions): AsyncGenerator<WatchStep, void, undefined> {
  const progress: Progress = { after: options.after };
  while (!options.signal.aborted && !cacher.closed) {
    try {
      yield* fromRing(cacher, options, progress);
    } catch (error) {
      if (!isStorageError(error, 'compacted')) throw error;
      yield* fromLog(cacher, options, progress);
    }
  }
}

async function* fromRing(
  cacher: Cacher,
  options: WatchOptions,
  progress: Progress,
): AsyncGenerator<WatchStep, void, undefined> {
  const ring = cacher.ring(options.resource);
  let position = ring.position(progress.after);
  while (!options.signal.aborted && !cacher.closed) {
    const { deliveries, next } = take(ring, position, options);
    const reached = next === ring.end ? cacher.state.revision : ring.at(next - 1)?.revision;
    position = next;
    const atEnd = position === ring.end;
    yield { deliveries, through: atEnd ? Math.max(cacher.state.revision, options.after) : undefined };
    progress.after = Math.max(progress.after, reached ?? 0);
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
    const delivery = deliveryOf(event, options);
    const at = position;
    if (delivery !== undefined) deliveries.push({ ...delivery, frame: () => ring.frame(at, delivery) });
  }
  return { deliveries, next: position };
}

/** A watch may start at a revision that this server has not reached yet. */
function deliveryOf(event: Event | undefined, { after, selects }: WatchOptions): Delivery | undefined {
  if (event === undefined || event.revision <= after) return undefined;
  const type = deliveryType(event, selects);
  return type && { type, event };
}

/** The commits of the log, until the ring has all later ones. */
async function* fromLog(
  cacher: Cacher,
  options: WatchOptions,
  progress: Progress,
): AsyncGenerator<WatchStep, void, undefined> {
  for await (const { end, events } of cacher.commits(options.resource, progress.after, options.signal)) {
    const deliveries = events.flatMap((event): readonly Delivered[] => {
      const delivery = deliveryOf(event, options);
      return delivery ? [{ ...delivery, frame: () => frameOf(delivery.type, objectOf(delivery)) }] : [];
    });
    for (let at = 0; at < deliveries.length; at += STEP_DELIVERIES) {
      const isLast = at + STEP_DELIVERIES >= deliveries.length;
      yield { deliveries: deliveries.slice(at, at + STEP_DELIVERIES), through: isLast ? end : undefined };
    }
    progress.after = end;
    if (end >= cacher.ring(options.resource).floor) return;
    await setImmediate();
  }
}
