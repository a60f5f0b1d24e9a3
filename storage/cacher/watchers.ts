import { type Key, partsOf } from '../key.js';
import { Pace } from './pace.js';

/** The part of a resource that a watch is about. Without a key and a namespace, it is the whole resource. */
export interface WatchScope {
  readonly key?: Key | undefined;
  readonly namespace?: string | undefined;
}

export const WHOLE: WatchScope = {};

export function isInScope(key: Key, scope: WatchScope): boolean {
  if (scope.key !== undefined) return key === scope.key;
  return scope.namespace === undefined || partsOf(key).namespace === scope.namespace;
}

/** A watch that has delivered everything so far. */
export interface Watcher {
  /** An event in its scope is in the ring at this position. Not called for watchers of the whole resource. */
  note(position: number): void;
  /** There may be something to deliver. */
  wake(): void;
}

/** Milliseconds for which watchers are woken before others get their turns. */
const STRETCH = 2;
/** To look at the clock costs more than to wake a watcher that has nothing to deliver. */
const AT_ONCE = 16;

/**
 * The watches of a resource that wait for changes. A commit wakes those whose scope has a change, and not the others,
 * so that many watches of one object each cost no more than those that have something to deliver.
 */
export class Watchers {
  readonly #wide = new Set<Watcher>();
  readonly #byKey = new Map<Key, Set<Watcher>>();
  readonly #byNamespace = new Map<string, Set<Watcher>>();
  /** The watchers of a scope that has changed since the last `notify`. */
  #noted = new Set<Watcher>();
  #changed = false;
  /** Those that are to be woken. */
  readonly #due = new Set<Watcher>();
  readonly #pace: Pace;
  readonly #now: () => number;

  /** `now` gives milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#pace = new Pace(() => this.#deliver(), now);
  }

  add(watcher: Watcher, scope: WatchScope): void {
    this.#placeOf(scope).add(watcher);
  }

  remove(watcher: Watcher, { key, namespace }: WatchScope): void {
    if (key !== undefined) removeFrom(this.#byKey, key, watcher);
    else if (namespace !== undefined) removeFrom(this.#byNamespace, namespace, watcher);
    else this.#wide.delete(watcher);
    this.#noted.delete(watcher);
    this.#due.delete(watcher);
  }

  /** An event of this key is in the ring at this position. */
  note(key: Key, position: number): void {
    this.#changed = true;
    this.#noteAll(this.#byKey.get(key), position);
    if (this.#byNamespace.size > 0) this.#noteAll(this.#byNamespace.get(partsOf(key).namespace), position);
  }

  /**
   * Wakes those that have something to deliver. Call it when the commit of the events is published. While many watchers
   * get many events, they get several commits at once. The costs are waking a watcher and writing to it, and hardly
   * depend on the number of events.
   */
  notify(): void {
    if (this.#noted.size > 0 || this.#wide.size > 0) this.#pace.ask();
  }

  wakeAll(): void {
    for (const group of [this.#wide, ...this.#byKey.values(), ...this.#byNamespace.values()]) this.#add(group);
    if (this.#due.size > 0) this.#pace.ask();
  }

  #add(watchers: Iterable<Watcher>): void {
    for (const watcher of watchers) this.#due.add(watcher);
  }

  /**
   * Wakes some of those that are due: thousands at once would keep the event loop for longer than a moment. Returns
   * whether there are more.
   */
  #deliver(): boolean {
    this.#add(this.#noted);
    this.#noted = new Set();
    if (this.#changed) this.#add(this.#wide);
    this.#changed = false;
    const end = this.#now() + STRETCH;
    let woken = 0;
    for (const watcher of this.#due) {
      this.#due.delete(watcher);
      watcher.wake();
      if (++woken % AT_ONCE === 0 && this.#now() >= end) break;
    }
    return this.#due.size > 0;
  }

  #placeOf({ key, namespace }: WatchScope): Set<Watcher> {
    if (key !== undefined) return placeIn(this.#byKey, key);
    return namespace === undefined ? this.#wide : placeIn(this.#byNamespace, namespace);
  }

  #noteAll(watchers: ReadonlySet<Watcher> | undefined, position: number): void {
    if (watchers === undefined) return;
    for (const watcher of watchers) {
      watcher.note(position);
      this.#noted.add(watcher);
    }
  }
}

function placeIn(places: Map<string, Set<Watcher>>, at: string): Set<Watcher> {
  let place = places.get(at);
  if (place === undefined) {
    place = new Set();
    places.set(at, place);
  }
  return place;
}

function removeFrom(places: Map<string, Set<Watcher>>, at: string, watcher: Watcher): void {
  const place = places.get(at);
  place?.delete(watcher);
  if (place?.size === 0) places.delete(at);
}
