import { LRUCache } from 'lru-cache';
import type { Steps } from '../../pkg/system/yielding/steps.js';
import { runStepsYielding } from '../../pkg/system/yielding/yielding.js';
import type { Cacher } from '../../storage/cacher/cacher.js';
import type { Event } from '../../storage/cacher/event.js';
import { isStorageError } from '../../storage/errors.js';
import { type Key, partsOf } from '../../storage/key.js';
import type { ResourceState } from '../../storage/state/resource-state.js';
import { encodeTuple, rowKey } from '../../storage/state/tuple.js';
import type { Entry } from '../read/reader.js';
import { BaseBuilder, isWanted, type OrderedBase, type SearchConditions } from './ordered-base.js';

/** After more changes than these, all entries are read again. */
const MOST_CHANGES = 1000;
/**
 * The entries of all lists together. One list counts for at most half of them, so that the folders and the dashboards
 * do not displace each other.
 */
const MOST_ENTRIES = 1_000_000;
/**
 * Work on entries, and on changes, that is done at once. A change is compared with some twenty entries, of which the
 * objects are read and parsed, and only the disk may have them.
 */
const ENTRIES_AT_ONCE = 64;
const CHANGES_AT_ONCE = 4;

/** The entries of an index in one namespace, in index order. */
export interface Ordered {
  /** Reads no further than the caller iterates. */
  matching(wanted: SearchConditions): Iterable<Entry>;
}

const known = new WeakMap<Cacher, LRUCache<string, OrderedIndex>>();

/**
 * The entries of an index whose tuples begin with the namespace, at the newest state. They are remembered with their
 * texts, because reading 100,000 entries takes longer than a search in one long text. A change of an object does not
 * make them outdated: it is read from the ring. The result is a promise if there is much to read.
 */
export function orderedIn(
  cacher: Cacher,
  resource: string,
  index: string,
  namespace: string,
): Ordered | Promise<Ordered> {
  const lists = known.get(cacher) ?? new LRUCache<string, OrderedIndex>({ maxSize: MOST_ENTRIES });
  known.set(cacher, lists);
  const name = `${resource} ${index} ${namespace}`;
  const list = lists.get(name) ?? new OrderedIndex(cacher, resource, index, namespace);
  const keep = (): unknown => lists.set(name, list, { size: Math.min(list.size + 1, MOST_ENTRIES / 2) });
  if (!lists.has(name)) keep();
  return list.newest(keep);
}

interface Changed {
  /** The position in the base of the first entry after it. */
  readonly at: number;
  readonly row: string;
  readonly entry: Entry;
}

/** The entries at one revision. */
class OrderedEntries implements Ordered {
  readonly revision: number;
  readonly base: OrderedBase;
  /** The keys that have changed since the base was made. */
  readonly keys: ReadonlySet<Key>;
  /** The positions in the base of these keys. */
  readonly outdated: ReadonlySet<number>;
  /** The entries of these keys, in index order. */
  readonly #changed: readonly Changed[];

  constructor(
    revision: number,
    base: OrderedBase,
    keys: ReadonlySet<Key> = new Set(),
    outdated: ReadonlySet<number> = new Set(),
    changed: readonly Changed[] = [],
  ) {
    this.revision = revision;
    this.base = base;
    this.keys = keys;
    this.outdated = outdated;
    this.#changed = changed;
  }

  *matching(wanted: SearchConditions): Generator<Entry, void, undefined> {
    const changed = this.#changedMatching(wanted);
    const isNext = ({ at }: Changed, position: number): boolean =>
      wanted.isDescending ? at > position : at <= position;
    let next = 0;
    for (const position of this.base.matching(wanted)) {
      if (this.outdated.has(position)) continue;
      for (let one = changed[next]; one !== undefined && isNext(one, position); one = changed[++next]) yield one.entry;
      yield this.base.entries[position] as Entry;
    }
    for (; next < changed.length; next++) yield (changed[next] as Changed).entry;
  }

  #changedMatching(wanted: SearchConditions): readonly Changed[] {
    const matches = this.#changed.filter(
      ({ entry }) => isWanted(entry, wanted) && !wanted.excludes(entry.attributes.container),
    );
    return wanted.isDescending ? matches.reverse() : matches;
  }
}

class OrderedIndex {
  readonly #cacher: Cacher;
  readonly #resource: string;
  readonly #index: string;
  readonly #namespace: string;
  /** `undefined` until the entries are read. */
  #entries: OrderedEntries | undefined;
  #reading: Promise<OrderedEntries> | undefined;
  /** That of the cache when the entries were read. Revisions of another log say nothing. */
  #logId = 0;

  constructor(cacher: Cacher, resource: string, index: string, namespace: string) {
    this.#cacher = cacher;
    this.#resource = resource;
    this.#index = index;
    this.#namespace = namespace;
  }

  get size(): number {
    return this.#entries?.base.entries.length ?? 0;
  }

  /** The entries at the newest state, or a later one than that. `onRead` is called when all have been read. */
  newest(onRead: () => void): OrderedEntries | Promise<OrderedEntries> {
    if (this.#logId !== this.#cacher.logId) this.#entries = undefined;
    this.#logId = this.#cacher.logId;
    if (this.#entries?.revision === this.#cacher.state.revision) return this.#entries;
    // A read that has begun may be of an earlier state.
    if (this.#reading !== undefined) return this.#reading.then(() => this.newest(onRead));
    const read = runStepsYielding(this.#read());
    if (!(read instanceof Promise)) return this.#keep(read, onRead);
    this.#reading = read
      .then((entries) => this.#keep(entries, onRead))
      .finally(() => {
        this.#reading = undefined;
      });
    return this.#reading;
  }

  #keep(entries: OrderedEntries, onRead: () => void): OrderedEntries {
    const isAll = entries.base !== this.#entries?.base;
    this.#entries = entries;
    if (isAll) onRead();
    return entries;
  }

  *#read(): Steps<OrderedEntries> {
    const { revision } = this.#cacher.state;
    const objects = this.#cacher.resource(this.#resource);
    const events = this.#entries && this.#eventsSince(this.#entries.revision);
    const changed = this.#entries && events && (yield* this.#withChanges(this.#entries, { revision, objects, events }));
    return changed ?? new OrderedEntries(revision, yield* this.#all(objects));
  }

  /** All entries, in steps. */
  *#all(objects: ResourceState): Steps<OrderedBase> {
    const builder = new BaseBuilder();
    const entries = objects.range(this.#index, encodeTuple([this.#namespace]))[Symbol.iterator]();
    for (;;) {
      for (let left = ENTRIES_AT_ONCE; left > 0; left--) {
        const next = entries.next();
        if (next.done === true) return builder.finish();
        builder.add(next.value);
      }
      yield;
    }
  }

  /** The events since a revision. `undefined` if there are too many, or if the ring does not have all of them. */
  #eventsSince(revision: number): readonly Event[] | undefined {
    const ring = this.#cacher.ring(this.#resource);
    const events: Event[] = [];
    try {
      let position = ring.position(revision);
      if (ring.end - position > MOST_CHANGES) return undefined;
      if (position === ring.end) return events;
      for (let event = ring.at(position); event !== undefined; event = ring.at(++position)) events.push(event);
    } catch (error) {
      if (isStorageError(error, 'compacted')) return undefined;
      throw error;
    }
    return events;
  }

  /** The same entries after events. `undefined` if there are too many changes. */
  *#withChanges(
    before: OrderedEntries,
    { revision, objects, events }: { revision: number; objects: ResourceState; events: readonly Event[] },
  ): Steps<OrderedEntries | undefined> {
    const { base } = before;
    const keys = new Set(before.keys);
    const outdated = new Set(before.outdated);
    for (const [i, { key, previous }] of events.entries()) {
      if (partsOf(key).namespace !== this.#namespace || keys.has(key)) continue;
      keys.add(key);
      // Before its first change since then, the entry was in the base.
      if (previous !== undefined) outdated.add(this.#positionOf(base, this.#rowOf(previous)));
      if ((i + 1) % CHANGES_AT_ONCE === 0) yield undefined;
    }
    if (keys.size > MOST_CHANGES) return undefined;
    return new OrderedEntries(revision, base, keys, outdated, yield* this.#entriesOf(base, keys, objects));
  }

  *#entriesOf(base: OrderedBase, keys: ReadonlySet<Key>, objects: ResourceState): Steps<readonly Changed[]> {
    const changed: Changed[] = [];
    for (const key of keys) {
      const entry = objects.get(key);
      if (entry === undefined) continue;
      const row = this.#rowOf(entry);
      changed.push({ at: this.#positionOf(base, row), row, entry });
      if (changed.length % CHANGES_AT_ONCE === 0) yield undefined;
    }
    return changed.sort((a, b) => (a.row < b.row ? -1 : 1));
  }

  /** The position in the base of the first entry that is not before the row. */
  #positionOf({ entries }: OrderedBase, row: string): number {
    let low = 0;
    let high = entries.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#rowOf(entries[middle] as Entry) < row) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #rowOf(entry: Entry): string {
    const { key, rows } = entry;
    return rowKey(rows.find(({ index }) => index === this.#index)?.tuple ?? '', key);
  }
}
