import type { Revision } from '../backend.js';
import { Signal } from '../signal.js';
import type { Entry } from '../state/entry.js';
import { type Delivery, type Event, type EventType, frameOf, objectOf } from './event.js';
import { tooOld } from './logged.js';
import { Watchers } from './watchers.js';

export interface RingLimits {
  /** The events of one ring. */
  readonly events: number;
  /** The bytes that all rings and kept states keep alive. */
  readonly bytes: number;
}

/** An earlier state is made from at most 50,000 changes, because that takes half a second. */
export const RING_LIMITS: RingLimits = { events: 50_000, bytes: 64 * 1024 * 1024 };
/** Frames of the newest events are kept for all watchers. A watcher that is further behind encodes its own. */
const FRAMES_KEPT = 1024;
/** The bytes of an event in memory, without its objects. */
const EVENT_OVERHEAD = 160;

interface Slot {
  event: Event;
  /** The bytes that it keeps alive, and the sum for all events before it. */
  readonly bytes: number;
  readonly before: number;
  frames: Partial<Record<EventType, Buffer>> | undefined;
}

/**
 * The recent changes of one resource, shared by all its watchers. A watcher is a position in the ring; positions count
 * events from the start of the process, and those that were read from the log afterwards are negative. `floor` is the
 * revision up to which events are not in the ring.
 */
export class Ring {
  /** Notified after each commit that changed this resource, and once a second. */
  readonly changed = new Signal();
  readonly watchers = new Watchers();
  readonly #limits: RingLimits;
  readonly #isInMemory: boolean;
  #slots: (Slot | undefined)[] = [];
  /** The index of the oldest event in #slots, and its position. */
  #head = 0;
  #first = 0;
  #frameBytes = 0;
  /** The bytes that all events so far kept alive. */
  #pushed = 0;
  #floor: Revision;
  #lastJoined: { readonly frames: readonly Buffer[]; readonly bytes: Buffer } = { frames: [], bytes: Buffer.alloc(0) };

  /**
   * `isInMemory`: the objects of the resource are in memory anyway, until an event replaces them. Otherwise, the ring
   * keeps them there.
   */
  constructor(floor: Revision, limits: RingLimits = RING_LIMITS, isInMemory = true) {
    this.#floor = floor;
    this.#limits = limits;
    this.#isInMemory = isInMemory;
  }

  get floor(): Revision {
    return this.#floor;
  }

  /** The cache was loaded again: nothing is added to this ring any more. */
  get isRetired(): boolean {
    return this.#floor === Number.MAX_SAFE_INTEGER;
  }

  /** The position of the oldest event. */
  get start(): number {
    return this.#first;
  }

  /** The position after the newest event. */
  get end(): number {
    return this.#first + this.#slots.length - this.#head;
  }

  /** The revision of the oldest event. */
  get oldest(): Revision | undefined {
    return this.#slots[this.#head]?.event.revision;
  }

  /** The bytes that the events and their frames keep alive. */
  get bytes(): number {
    return this.#pushed - this.mark(this.#first) + this.#frameBytes;
  }

  /** The limit of the events that a ring has. */
  get room(): number {
    return this.#limits.events - (this.end - this.#first);
  }

  /**
   * The bytes that all events before a position kept alive. The difference of two marks is what the events between them
   * keep alive.
   */
  mark(position: number): number {
    return this.#slots[this.#head + position - this.#first]?.before ?? this.#pushed;
  }

  /** The bytes that an event keeps alive. */
  costOf({ current, previous }: Event): number {
    const held = this.#isInMemory ? 0 : (current?.footprint ?? 0);
    return EVENT_OVERHEAD + held + (previous?.footprint ?? 0);
  }

  push(event: Event): void {
    const bytes = this.costOf(event);
    this.#slots.push({ event, bytes, before: this.#pushed, frames: undefined });
    this.#pushed += bytes;
    this.watchers.note(event.key, this.end - 1);
    this.#forgetFrames(this.#slots[this.#slots.length - 1 - FRAMES_KEPT]);
    const { events, bytes: most } = this.#limits;
    for (let count = this.#slots.length - this.#head; count > 1; count--) {
      if (count <= events && this.bytes <= most) return;
      this.drop();
    }
  }

  /** Call this when the commit of the events is published. */
  notify(): void {
    this.changed.notify();
    this.watchers.notify();
  }

  /** Wakes all, because the time has come for bookmarks, or because the ring has ended. */
  wakeAll(): void {
    this.changed.notify();
    this.watchers.wakeAll();
  }

  /** Adds all events after `floor` that are before those in the ring, as they were read from the log. */
  prepend(events: readonly Event[], floor: Revision): void {
    let before = this.mark(this.#first);
    const slots = events.toReversed().map((event): Slot => {
      const bytes = this.costOf(event);
      before -= bytes;
      return { event, bytes, before, frames: undefined };
    });
    this.#slots = [...slots.reverse(), ...this.#slots.slice(this.#head)];
    this.#head = 0;
    this.#first -= slots.length;
    this.#floor = floor;
  }

  /**
   * Refers to other entries of the same objects in the events after a revision, because those are kept in less memory.
   */
  exchange(after: Revision, others: ReadonlyMap<Entry, Entry>): void {
    for (let i = this.#slots.length - 1; i >= this.#head; i--) {
      const slot = this.#slots[i];
      if (slot === undefined || slot.event.revision <= after) return;
      const { current } = slot.event;
      const other = current && others.get(current);
      if (other !== undefined) slot.event = { ...slot.event, current: other };
    }
  }

  /** Drops all events, because the cache was loaded again: readers of this ring can no longer continue. */
  retire(): void {
    while (this.#first < this.end) this.drop();
    this.#floor = Number.MAX_SAFE_INTEGER;
    this.#first = Number.MAX_SAFE_INTEGER;
  }

  /** The position of the first event after `revision`. Throws `compacted`. */
  position(revision: Revision): number {
    if (revision < this.#floor) throw tooOld(revision, this.#floor);
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

  /** The frame of the event at a position, encoded once for all watchers, unless it has left the ring. */
  frame(position: number, delivery: Delivery): Buffer {
    const slot = position < this.#first ? undefined : this.#slot(position);
    const known = slot?.frames?.[delivery.type];
    if (known !== undefined) return known;
    const frame = frameOf(delivery.type, objectOf(delivery));
    if (slot !== undefined && position >= this.end - FRAMES_KEPT) {
      slot.frames = { ...slot.frames, [delivery.type]: frame };
      this.#frameBytes += frame.length;
    }
    return frame;
  }

  /** Joins frames. The result is kept for the next watcher, because watchers mostly get the same frames. */
  joined(frames: readonly Buffer[]): Buffer {
    const last = this.#lastJoined;
    if (last.frames.length === frames.length && last.frames.every((frame, index) => frame === frames[index])) {
      return last.bytes;
    }
    const bytes = Buffer.concat(frames);
    this.#lastJoined = { frames, bytes };
    return bytes;
  }

  /** Drops the oldest event. */
  drop(): void {
    const slot = this.#slots[this.#head];
    if (slot === undefined) return;
    this.#forgetFrames(slot);
    this.#slots[this.#head] = undefined;
    this.#head++;
    this.#first++;
    this.#floor = slot.event.revision;
    if (this.#head > 4096 && this.#head * 2 > this.#slots.length) {
      this.#slots = this.#slots.slice(this.#head);
      this.#head = 0;
    }
  }

  #slot(position: number): Slot | undefined {
    if (position < this.#first) throw tooOld(this.#floor, this.#floor);
    return this.#slots[this.#head + position - this.#first];
  }

  #forgetFrames(slot: Slot | undefined): void {
    if (slot?.frames === undefined) return;
    for (const { length } of Object.values(slot.frames)) this.#frameBytes -= length;
    slot.frames = undefined;
  }
}
