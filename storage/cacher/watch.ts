import type { Revision } from '../backend.js';
import { isStorageError } from '../errors.js';
import type { Cacher } from './cacher.js';
import type { Event, EventType } from './event.js';
import { LogReader } from './log-reader.js';
import { tooOld } from './logged.js';
import type { Ring } from './ring.js';
import { type Delivered, STEP_DELIVERIES, typeFor, type WatchOptions, type WatchStep } from './watch-step.js';
import { type Watcher, type WatchScope, WHOLE } from './watchers.js';

/** How many events are looked at in one step. */
const STEP_EVENTS = 4096;
/** A watcher of a narrower scope that has more events waiting reads the ring instead. */
const MOST_NOTED = 1024;

/**
 * The changes after a revision, in order and without gaps, for one consumer. What is not in the ring, or has left it
 * because the consumer is slow, is read from the log.
 */
export class Watch implements Watcher {
  /** Called when there may be something to take, and about once a second. Set by the consumer. */
  onReady: () => void = () => undefined;
  readonly #cacher: Cacher;
  readonly #options: WatchOptions;
  /** That of the cache when the watch began. Changes of another log do not follow what the consumer has. */
  readonly #logId: number;
  /** The revision up to which the consumer has everything. */
  #after: Revision;
  #ring: Ring;
  /** The scope whose changes wake it: that of its options while it has everything, and else the whole resource. */
  #scope: WatchScope = WHOLE;
  /** The next position to look at; undefined if everything in the ring is looked at, except the noted positions. */
  #position: number | undefined;
  #noted: number[] = [];
  #log: LogReader | undefined;
  #isDue = true;

  constructor(cacher: Cacher, options: WatchOptions) {
    this.#cacher = cacher;
    this.#options = options;
    this.#logId = cacher.logId;
    this.#after = options.after;
    this.#ring = cacher.ring(options.resource);
    this.#enter();
  }

  /**
   * The next step, without waiting. It is empty if nothing has changed, and undefined while the log is being read.
   * Throws `compacted` if the log does not have what follows any more.
   */
  take(): WatchStep | undefined {
    this.#isDue = false;
    if (this.#log !== undefined) return this.#takeFromLog(this.#log);
    try {
      return this.#position === undefined ? this.#takeNoted() : this.#takeFromRing(this.#position);
    } catch (error) {
      if (!isStorageError(error, 'compacted')) throw error;
      this.#readLog();
      return undefined;
    }
  }

  close(): void {
    this.onReady = () => undefined;
    this.#ring.watchers.remove(this, this.#scope);
    this.#log?.close();
  }

  /** Whether there may be something to take: the last step was not up to the end, or it was woken since. */
  get isDue(): boolean {
    return this.#isDue;
  }

  wake(): void {
    this.#isDue = true;
    this.onReady();
  }

  note(position: number): void {
    this.#noted.push(position);
    if (this.#noted.length > MOST_NOTED) this.#lookFrom(this.#noted[0] ?? position);
  }

  /** Begins to look at the ring. If it does not have what follows, the log is read. */
  #enter(): void {
    this.#refuseOther();
    this.#log = undefined;
    this.#ring = this.#cacher.ring(this.#options.resource);
    try {
      this.#lookFrom(this.#ring.position(this.#after));
    } catch (error) {
      if (!isStorageError(error, 'compacted')) throw error;
      this.#readLog();
    }
  }

  #refuseOther(): void {
    if (this.#cacher.logId !== this.#logId) throw tooOld(this.#after, this.#cacher.revision);
  }

  #lookFrom(position: number): void {
    this.#position = position;
    this.#noted = [];
    this.#move(WHOLE);
  }

  #move(scope: WatchScope): void {
    this.#ring.watchers.remove(this, this.#scope);
    this.#scope = scope;
    this.#ring.watchers.add(this, scope);
  }

  #takeFromRing(from: number): WatchStep {
    const ring = this.#ring;
    const { deliveries, next } = look(ring, from, this.#options);
    const isAtEnd = next === ring.end;
    this.#position = next;
    if (!isAtEnd) return this.#step(deliveries, ring.at(next - 1)?.revision);
    if (this.#options.scope !== undefined) {
      this.#position = undefined;
      this.#move(this.#options.scope);
    }
    return this.#step(deliveries);
  }

  #takeNoted(): WatchStep {
    const ring = this.#ring;
    if (ring.isRetired) return this.#takeFromRing(0);
    const positions = this.#noted.slice(0, STEP_DELIVERIES);
    this.#noted = this.#noted.slice(positions.length);
    const deliveries: Delivered[] = [];
    for (const position of positions) {
      const delivered = deliveredAt(ring, position, this.#options);
      if (delivered !== undefined) deliveries.push(delivered);
    }
    const last = positions.at(-1);
    return this.#step(deliveries, this.#noted.length > 0 && last !== undefined ? ring.at(last)?.revision : undefined);
  }

  /** `reached`: the revision of the last event that was looked at, if more follow. */
  #step(deliveries: readonly Delivered[], reached?: Revision): WatchStep {
    this.#after = Math.max(this.#after, reached ?? this.#cacher.state.revision);
    this.#isDue = reached !== undefined;
    return { deliveries, through: reached === undefined ? this.#after : undefined };
  }

  #readLog(): void {
    this.#refuseOther();
    this.#ring.watchers.remove(this, this.#scope);
    this.#log = new LogReader(this.#cacher, this.#options, this.#after, () => this.wake());
  }

  #takeFromLog(log: LogReader): WatchStep | undefined {
    const step = log.take();
    this.#isDue = step !== undefined;
    if (step?.through !== undefined) this.#after = Math.max(this.#after, step.through);
    if (!log.isDone) return step;
    this.#enter();
    return this.take();
  }
}

function look(ring: Ring, from: number, options: WatchOptions): { deliveries: readonly Delivered[]; next: number } {
  const deliveries: Delivered[] = [];
  const limit = Math.min(ring.end, from + STEP_EVENTS);
  let position = from;
  ring.at(position);
  for (; position < limit && deliveries.length < STEP_DELIVERIES; position++) {
    const delivered = deliveredAt(ring, position, options);
    if (delivered !== undefined) deliveries.push(delivered);
  }
  return { deliveries, next: position };
}

function deliveredAt(ring: Ring, position: number, options: WatchOptions): Delivered | undefined {
  const event = ring.at(position);
  const type = event && typeFor(event, options);
  return type && new RingDelivery(ring, position, type, event);
}

class RingDelivery implements Delivered {
  readonly type: EventType;
  readonly event: Event;
  readonly #ring: Ring;
  readonly #position: number;

  constructor(ring: Ring, position: number, type: EventType, event: Event) {
    this.#ring = ring;
    this.#position = position;
    this.type = type;
    this.event = event;
  }

  frame(): Buffer {
    return this.#ring.frame(this.#position, this);
  }
}
