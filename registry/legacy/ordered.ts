import { LRUCache } from 'lru-cache';
import type { Cacher } from '../../storage/cacher/cacher.js';
import type { Event } from '../../storage/cacher/event.js';
import { isStorageError } from '../../storage/errors.js';
import { type Key, partsOf } from '../../storage/key.js';
import { encodeTuple, rowKey } from '../../storage/tuple.js';
import type { Entry } from '../reader.js';
import { baseOf, isWanted, type OrderedBase, type Wanted } from './ordered-base.js';

/** After more changes than these, all entries are read again. */
const MOST_CHANGES = 1000;
/** The entries of all lists together. */
const MOST_ENTRIES = 1_000_000;

/** The entries of an index in one namespace, in index order. */
export interface Ordered {
  /** Reads no further than the caller iterates. Nothing may change during the iteration. */
  matching(wanted: Wanted): Iterable<Entry>;
}

const known = new WeakMap<Cacher, LRUCache<string, OrderedIndex>>();

/**
 * The entries of an index whose tuples begin with the namespace, at the newest state. They are remembered with their texts, because reading
 * 100,000 entries takes longer than a search in one long text. A change of an object does not make them outdated: it is read from the ring.
 */
export function orderedIn(cacher: Cacher, resource: string, index: string, namespace: string): Ordered {
  const lists = known.get(cacher) ?? new LRUCache<string, OrderedIndex>({ maxSize: MOST_ENTRIES });
  known.set(cacher, lists);
  const name = `${resource} ${index} ${namespace}`;
  const list = lists.get(name) ?? new OrderedIndex(cacher, resource, index, namespace);
  if (list.refresh()) lists.set(name, list, { size: Math.min(list.size + 1, MOST_ENTRIES) });
  return list;
}

interface Changed {
  /** The position in the base of the first entry after it. */
  readonly at: number;
  readonly row: string;
  readonly entry: Entry;
}

class OrderedIndex implements Ordered {
  readonly #cacher: Cacher;
  readonly #resource: string;
  readonly #index: string;
  readonly #namespace: string;
  #base: OrderedBase = baseOf([]);
  /** The revision up to which changes are known. `undefined` until the entries are read. */
  #revision: number | undefined;
  /** The keys that have changed since the base was made. */
  readonly #keys = new Set<Key>();
  /** The positions in the base of these keys. */
  readonly #outdated = new Set<number>();
  /** The entries of these keys, in index order. */
  #changed: readonly Changed[] = [];

  constructor(cacher: Cacher, resource: string, index: string, namespace: string) {
    this.#cacher = cacher;
    this.#resource = resource;
    this.#index = index;
    this.#namespace = namespace;
  }

  get size(): number {
    return this.#base.entries.length;
  }

  /** Returns whether all entries were read again. */
  refresh(): boolean {
    const { revision } = this.#cacher.state;
    if (revision === this.#revision) return false;
    const isKnown = this.#revision !== undefined && this.#readChanges(this.#revision);
    this.#revision = revision;
    if (!isKnown) this.#readAll();
    return !isKnown;
  }

  *matching(wanted: Wanted): Generator<Entry, void, undefined> {
    const changed = this.#changedMatching(wanted);
    const isNext = ({ at }: Changed, position: number): boolean =>
      wanted.isDescending ? at > position : at <= position;
    let next = 0;
    for (const position of this.#base.matching(wanted)) {
      if (this.#outdated.has(position)) continue;
      for (let one = changed[next]; one !== undefined && isNext(one, position); one = changed[++next]) yield one.entry;
      yield this.#base.entries[position] as Entry;
    }
    for (; next < changed.length; next++) yield (changed[next] as Changed).entry;
  }

  #changedMatching(wanted: Wanted): readonly Changed[] {
    const found = this.#changed.filter(
      ({ entry }) => isWanted(entry, wanted) && !wanted.excludes(entry.attributes.container),
    );
    return wanted.isDescending ? found.reverse() : found;
  }

  /** Returns false if there are too many, or if they are no longer known. */
  #readChanges(since: number): boolean {
    const ring = this.#cacher.ring(this.#resource);
    try {
      let position = ring.position(since);
      if (position === ring.end) return true;
      if (ring.end - position > MOST_CHANGES) return false;
      for (let event = ring.at(position); event !== undefined; event = ring.at(++position)) this.#note(event);
    } catch (error) {
      if (isStorageError(error, 'compacted')) return false;
      throw error;
    }
    if (this.#keys.size > MOST_CHANGES) return false;
    this.#changed = this.#entriesOf(this.#keys);
    return true;
  }

  /** Before its first change since then, the entry was in the base. */
  #note({ key, previous }: Event): void {
    if (partsOf(key).namespace !== this.#namespace || this.#keys.has(key)) return;
    this.#keys.add(key);
    if (previous !== undefined) this.#outdated.add(this.#positionOf(this.#rowOf(previous)));
  }

  #entriesOf(keys: Iterable<Key>): readonly Changed[] {
    const state = this.#cacher.resource(this.#resource);
    return [...keys]
      .flatMap((key) => state.get(key) ?? [])
      .map((entry) => ({ row: this.#rowOf(entry), entry }))
      .map(({ row, entry }): Changed => ({ at: this.#positionOf(row), row, entry }))
      .sort((a, b) => (a.row < b.row ? -1 : 1));
  }

  #readAll(): void {
    this.#keys.clear();
    this.#outdated.clear();
    this.#changed = [];
    const prefix = encodeTuple([this.#namespace]);
    this.#base = baseOf(this.#cacher.resource(this.#resource).list(this.#index, prefix));
  }

  /** The position in the base of the first entry that is not before the row. */
  #positionOf(row: string): number {
    const { entries } = this.#base;
    let low = 0;
    let high = entries.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#rowOf(entries[middle] as Entry) < row) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #rowOf({ key, rows }: Entry): string {
    const tuple = rows.find(({ index }) => index === this.#index)?.tuple ?? '';
    return rowKey(tuple, key);
  }
}
