import type { Event } from '../../storage/cacher/event.js';
import type { Ring } from '../../storage/cacher/ring.js';
import { isStorageError } from '../../storage/errors.js';
import { partsOf } from '../../storage/key.js';
import { type DeletionRecord, deletionRecordOf } from '../history/deletion-record.js';
import { RetainedReader } from '../history/versions.js';
import type { Kind } from '../kinds/kind.js';
import { kindOf, type Registry } from '../kinds/registry.js';
import { keptVersions } from '../kinds/retention.js';
import { entriesOf, type IndexRange } from '../read/ranges.js';
import { type Entry, objectOf } from '../read/reader.js';
import { BY_EXPIRY, BY_ORIGIN, FIELDS, originOf, type RetainedSpec } from '../write/retained.js';
import type { Removal } from './removal.js';

/** Milliseconds between two looks for deletions that have expired. */
const EVERY = 60_000;
/** The number of new versions that are looked at. */
const EVENTS_AT_ONCE = 1000;

/** Removes what need not be retained any more. */
export function agedVersions(registry: Registry, kind: Kind): readonly Removal[] {
  return kind === registry.retained ? [new AgedVersions(registry, kind)] : [];
}

/**
 * Finds what need not be retained any more: versions of an object beyond the number that is kept, and deletions that
 * can no longer be taken back, with the versions before them. It follows the new versions; a version that it misses is
 * found when the object is changed again, or is gone.
 */
class AgedVersions implements Removal {
  readonly kind: Kind;
  /** The resource whose changes may give it work. */
  readonly wokenBy: string;
  readonly #registry: Registry;
  #next = 0;
  #ring: Ring | undefined;
  #position = 0;

  constructor(registry: Registry, kind: Kind) {
    this.#registry = registry;
    this.kind = kind;
    this.wokenBy = kind.qualified;
  }

  /** In this order. */
  *objects(): Generator<Entry | undefined, void, undefined> {
    for (const range of this.#excess()) {
      // A deletion ends at its time, with everything that went with it, which is found by its first object.
      for (const entry of this.#entriesOf(range)) if (entry === undefined || !isDeletion(entry)) yield entry;
    }
    yield* this.#expired();
  }

  done(): void {
    // What is left is found by the next look.
  }

  /** The next call looks for expired deletions again. */
  restart(): void {
    this.#next = 0;
  }

  /** For each new version: the versions of the object that are beyond the number that is kept. */
  #excess(): Iterable<IndexRange> {
    const ranges = new Map<string, IndexRange>();
    for (const { current, previous } of this.#events()) {
      if (current === undefined || previous !== undefined) continue;
      const range = this.#before(current);
      // A later version of an object has a range that contains the one before.
      if (range !== undefined) ranges.set(range.prefix.join(), range);
    }
    return ranges.values();
  }

  #before(entry: Entry): IndexRange | undefined {
    const { key, attributes } = entry;
    const { fields = {} } = attributes;
    const kind = kindOf(this.#registry, fields[FIELDS.resource] ?? '');
    const generation = Number(fields[FIELDS.generation]);
    const kept = kind === undefined ? 0 : keptVersions(this.#registry.retention, kind);
    // What was deleted is not an earlier version.
    const first = generation - kept + (isDeletion(entry) ? 0 : 1);
    if (first <= 1) return undefined;
    return { index: BY_ORIGIN, prefix: [partsOf(key).namespace, fields[FIELDS.origin] ?? ''], to: [first] };
  }

  /** The events since the last call. If they have left the ring, they are skipped. */
  #events(): readonly Event[] {
    const ring = this.#registry.cacher.ring(this.kind.qualified);
    if (ring !== this.#ring) this.#position = ring.end;
    this.#ring = ring;
    const events: Event[] = [];
    try {
      for (; this.#position < ring.end && events.length < EVENTS_AT_ONCE; this.#position++) {
        const event = ring.at(this.#position);
        if (event !== undefined) events.push(event);
      }
    } catch (error) {
      if (!isStorageError(error, 'compacted')) throw error;
      this.#position = ring.end;
    }
    return events;
  }

  *#entriesOf(range: IndexRange): Generator<Entry | undefined, void, undefined> {
    yield undefined;
    yield* entriesOf(this.#registry.reader, this.kind.qualified, range);
  }

  *#expired(): Generator<Entry | undefined, void, undefined> {
    const { clock, purgeClock = clock } = this.#registry;
    const now = purgeClock.now();
    if (now < this.#next) return;
    this.#next = now + EVERY;
    for (const entry of entriesOf(this.#registry.reader, this.kind.qualified, {
      index: BY_EXPIRY,
      prefix: [],
      to: [now + 1],
    })) {
      yield* this.#deletionOf(entry);
      yield entry;
    }
  }

  /**
   * The objects of a deletion with their earlier versions. The first object, by which the deletion is found, is not
   * among them: it is removed last.
   */
  *#deletionOf(first: Entry): Generator<Entry | undefined, void, undefined> {
    const { namespace } = partsOf(first.key);
    const { spec } = objectOf<RetainedSpec>(first);
    if (spec?.deletion === undefined || spec.object === undefined) return yield* this.#versionsOf(first);
    const { id } = spec.deletion;
    const reader = new RetainedReader(this.#registry, this.kind, namespace);
    for (const entry of reader.membersOf(id)) {
      // An object that was never changed has no earlier versions.
      if (entry.attributes.fields?.[FIELDS.generation] !== '1') yield* this.#versionsOf(entry);
    }
    yield* reader.membersOf(id, 1);
  }

  /** The versions before a deletion that has expired, unless the object has come back, or was deleted again. */
  *#versionsOf(entry: Entry): Generator<Entry | undefined, void, undefined> {
    const { namespace } = partsOf(entry.key);
    const { fields = {} } = entry.attributes;
    const kind = kindOf(this.#registry, fields[FIELDS.resource] ?? '');
    if (kind !== undefined && this.#isNeeded(kind, namespace, deletionRecordOf(kind, entry))) return;
    const prefix = [namespace, fields[FIELDS.origin] ?? ''];
    yield* this.#entriesOf({ index: BY_ORIGIN, prefix, to: [Number(fields[FIELDS.generation])] });
  }

  #isNeeded(kind: Kind, namespace: string, { spec: { name, origin, generation } }: DeletionRecord): boolean {
    const living = this.#registry.reader.get(kind.qualified, namespace, name);
    if (living !== undefined && originOf(kind, living) === origin) return true;
    const reader = new RetainedReader(this.#registry, kind, namespace);
    const [newest] = reader.versions(origin, Number.MAX_SAFE_INTEGER, 1);
    return (newest?.spec?.generation ?? 0) > generation;
  }
}

function isDeletion({ attributes }: Entry): boolean {
  return attributes.fields?.[FIELDS.isDeletion] === 'true';
}
