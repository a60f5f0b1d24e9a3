import { expired } from '../../pkg/kube/status/errors.js';
import type { Event } from '../../storage/cacher/event.js';
import type { Key } from '../../storage/key.js';
import { type Entry, MemoryEntry } from '../../storage/state/entry.js';
import { CHANGED } from './follower.js';

/** A watch that has seen more removals than this ends, so that what it remembers is bounded. */
const MOST_REMOVED = 10_000;
const NO_BYTES = new Uint8Array();

/**
 * The places that were removed since a watch began: containers, and objects that others are about. Their content is
 * forgotten.
 */
export class RemovedPlaces {
  readonly #entries = new Map<Key, Entry>();

  get isEmpty(): boolean {
    return this.#entries.size === 0;
  }

  get(key: Key): Entry | undefined {
    return this.#entries.get(key);
  }

  /**
   * Remembers what a change removes. Throws 410 if something comes back: what lay in the former place would be judged
   * by the new one.
   */
  note({ previous, current }: Event): void {
    if (current === undefined && previous !== undefined) this.add(previous);
    const former = previous === undefined && current !== undefined ? this.get(current.key) : undefined;
    if (former !== undefined && current !== undefined && former.revision < current.revision) throw expired(CHANGED);
  }

  /** Throws 410 for more than a watch may remember. */
  add(entry: Entry): void {
    if (this.#entries.size >= MOST_REMOVED) throw expired(CHANGED);
    this.#entries.set(entry.key, new MemoryEntry(entry.key, entry.revision, NO_BYTES, entry.attributes));
  }
}
