import type { Revision } from '../backend.js';
import { StorageError } from '../errors.js';
import { Signal } from '../signal.js';
import { type Delivery, type Event, type EventType, frameOf, objectOf } from './event.js';

export interface RingLimits {
  readonly events: number;
  readonly bytes: number;
}

/** An exact revision is made from at most 50,000 changes; they keep at most 64 MiB alive. */
export const RING_LIMITS: RingLimits = { events: 50_000, bytes: 64 * 1024 * 1024 };
/** Frames of the newest events are kept for all watchers. A watcher that is further behind encodes its own. */
const FRAMES_KEPT = 1024;

interface Slot {
  readonly event: Event;
  readonly bytes: number;
  frames: Partial<Record<EventType, Buffer>> | undefined;
}

/**
 * The recent changes of one resource, shared by all its watchers. A watcher is a position in the ring; positions count events from the
 * start of the process. `floor` is the revision up to which events have left the ring.
 */
export class Ring {
  /** Notified after each commit that changed this resource, and once a second. */
  readonly changed = new Signal();
  readonly #limits: RingLimits;
  #slots: (Slot | undefined)[] = [];
  /** The index of the oldest event in #slots, and its position. */
  #head = 0;
  #first = 0;
  #bytes = 0;
  #floor: Revision;

  constructor(floor: Revision, limits: RingLimits = RING_LIMITS) {
    this.#floor = floor;
    this.#limits = limits;
  }

  get floor(): Revision {
    return this.#floor;
  }

  /** The position after the newest event. */
  get end(): number {
    return this.#first + this.#slots.length - this.#head;
  }

  push(event: Event): void {
    const bytes = (event.current?.size ?? 0) + (event.previous?.size ?? 0);
    this.#slots.push({ event, bytes, frames: undefined });
    this.#bytes += bytes;
    const lagging = this.#slots[this.#slots.length - 1 - FRAMES_KEPT];
    if (lagging !== undefined) lagging.frames = undefined;
    const { events, bytes: most } = this.#limits;
    for (let count = this.#slots.length - this.#head; count > events || (this.#bytes > most && count > 1); count--) {
      this.#drop();
    }
  }

  /** Drops all events, because the cache was loaded again: readers of this ring can no longer continue. */
  retire(): void {
    while (this.#first < this.end) this.#drop();
    this.#floor = Number.MAX_SAFE_INTEGER;
    this.#first = Number.MAX_SAFE_INTEGER;
  }

  /** The position of the first event after `revision`. Throws `compacted`. */
  position(revision: Revision): number {
    if (revision < this.#floor) throw this.#compacted(revision);
    let low = this.#head;
    let high = this.#slots.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#slots[middle]?.event.revision ?? 0) <= revision) low = middle + 1;
      else high = middle;
    }
    return this.#first + low - this.#head;
  }

  /** The event at a position; undefined at the end. Throws `compacted` if the event has left the ring. */
  at(position: number): Event | undefined {
    return this.#slot(position)?.event;
  }

  /** The frame of the event at a position, encoded once for all watchers. */
  frame(position: number, delivery: Delivery): Buffer {
    const slot = this.#slot(position);
    const known = slot?.frames?.[delivery.type];
    if (known !== undefined) return known;
    const frame = frameOf(delivery.type, objectOf(delivery));
    if (slot !== undefined && position >= this.end - FRAMES_KEPT)
      slot.frames = { ...slot.frames, [delivery.type]: frame };
    return frame;
  }

  #slot(position: number): Slot | undefined {
    if (position < this.#first) throw this.#compacted(this.#floor);
    return this.#slots[this.#head + position - this.#first];
  }

  #drop(): void {
    const slot = this.#slots[this.#head];
    if (slot === undefined) return;
    this.#slots[this.#head] = undefined;
    this.#head++;
    this.#first++;
    this.#bytes -= slot.bytes;
    this.#floor = slot.event.revision;
    if (this.#head > 4096 && this.#head * 2 > this.#slots.length) {
      this.#slots = this.#slots.slice(this.#head);
      this.#head = 0;
    }
  }

  #compacted(revision: Revision): StorageError {
    return new StorageError('compacted', `too old resource version: ${revision} (${this.#floor})`);
  }
}
