import { LRUCache } from 'lru-cache';
import type { Cacher } from '../../storage/cacher/cacher.js';
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
  readonly row: string;
  readonly entry: Entry;
}

class OrderedIndex implements Ordered {
  readonly #cacher: Cacher;
  readonly #resource: string;
  readonly #index: string;
  readonly #namespace: string;
  #base: OrderedBase | undefined;
  /** The revision up to which changes are known. */
  #revision = 0;
  /** The keys that have changed since the base was made. */
  readonly #keys = new Set<Key>();
  /** The entries of these keys, in index order. */
  #changed: readonly Changed[] = [];

  constructor(cacher: Cacher, resource: string, index: string, namespace: string) {
    this.#cacher = cacher;
    this.#resource = resource;
    this.#index = index;
    this.#namespace = namespace;
  }

  get size(): number {
    return this.#base?.entries.length ?? 0;
  }

  /** Returns whether all entries were read again. */
  refresh(): boolean {
    const { revision } = this.#cacher.state;
    if (this.#base !== undefined && revision === this.#revision) return false;
    const isKnown = this.#base !== undefined && this.#readChanges();
    this.#revision = revision;
    if (!isKnown) this.#readAll();
    return !isKnown;
  }

  *matching(wanted: Wanted): Generator<Entry, void, undefined> {
    const base = this.#base;
    if (base === undefined) return;
    if (this.#keys.size === 0) return yield* base.matching(wanted);
    const changed = this.#changedMatching(wanted);
    const isNext = ({ row }: Changed, entry: Entry): boolean =>
      wanted.isDescending ? row > this.#rowOf(entry) : row < this.#rowOf(entry);
    let at = 0;
    for (const entry of base.matching(wanted)) {
      if (this.#keys.has(entry.key)) continue;
      for (let one = changed[at]; one !== undefined && isNext(one, entry); one = changed[++at]) yield one.entry;
      yield entry;
    }
    for (; at < changed.length; at++) yield (changed[at] as Changed).entry;
  }

  #changedMatching(wanted: Wanted): readonly Changed[] {
    const found = this.#changed.filter(
      ({ entry }) => isWanted(entry, wanted) && !wanted.excludes(entry.attributes.container),
    );
    return wanted.isDescending ? found.reverse() : found;
  }

  /** Returns false if there are too many, or if they are no longer known. */
  #readChanges(): boolean {
    const state = this.#cacher.resource(this.#resource);
    const before = this.#keys.size;
    try {
      const ring = this.#cacher.ring(this.#resource);
      let position = ring.position(this.#revision);
      if (ring.end - position > MOST_CHANGES) return false;
      for (let event = ring.at(position); event !== undefined; event = ring.at(++position)) this.#note(event.key);
    } catch (error) {
      if (isStorageError(error, 'compacted')) return false;
      throw error;
    }
    if (this.#keys.size > MOST_CHANGES) return false;
    if (before === 0 && this.#keys.size === 0) return true;
    const entries = [...this.#keys].flatMap((key) => state.get(key) ?? []);
    this.#changed = entries
      .map((entry): Changed => ({ row: this.#rowOf(entry), entry }))
      .sort((a, b) => (a.row < b.row ? -1 : 1));
    return true;
  }

  #note(key: Key): void {
    if (partsOf(key).namespace === this.#namespace) this.#keys.add(key);
  }

  #readAll(): void {
    this.#keys.clear();
    this.#changed = [];
    const prefix = encodeTuple([this.#namespace]);
    this.#base = baseOf(this.#cacher.resource(this.#resource).list(this.#index, prefix));
  }

  #rowOf({ key, attributes }: Entry): string {
    const tuple = attributes.rows.find(({ index }) => index === this.#index)?.tuple ?? '';
    return rowKey(tuple, key);
  }
}
