import type { Event } from '../../storage/cacher/event.js';
import type { Ring } from '../../storage/cacher/ring.js';
import { isStorageError } from '../../storage/errors.js';
import { partsOf } from '../../storage/key.js';
import { encodeTuple } from '../../storage/tuple.js';
import type { Kind } from '../kind.js';
import type { PurgeRange, Removal } from '../purge/removal.js';
import { type Entry, objectOf } from '../reader.js';
import { kindOf, type Registry } from '../registry.js';
import { type Former, formerOf } from './former.js';
import { BY_EXPIRY, BY_ORIGIN, deletedKeys, FIELDS, originOf, type RetainedSpec } from './retained.js';
import { keptVersions } from './retention.js';
import { RetainedReader } from './versions.js';

/** Milliseconds between two looks for deletions that have expired. */
const EVERY = 60_000;
/** The number of deletions that are looked at before their ranges are removed, and the number of new versions. */
const AT_ONCE = 100;
const EVENTS_AT_ONCE = 1000;

/** Removes what need not be retained any more. */
export function agedVersions(registry: Registry, kind: Kind): readonly Removal[] {
  return kind === registry.retained ? [new AgedVersions(registry, kind)] : [];
}

/**
 * Finds what need not be retained any more: versions of an object beyond the number that is kept, and deletions that can no longer be taken
 * back, with the versions before them. It follows the new versions; a version that it misses is found when the object is changed again, or is
 * gone.
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

  /** The ranges of objects to remove now, in this order. */
  async ranges(): Promise<readonly PurgeRange[]> {
    return [...this.#excess(), ...(await this.#expired())];
  }

  done(): void {
    // What is left is found by the next look.
  }

  /** The next call looks for expired deletions again. */
  restart(): void {
    this.#next = 0;
  }

  /** For each new version: the versions of the object that are beyond the number that is kept. */
  #excess(): readonly PurgeRange[] {
    const ranges = new Map<string, PurgeRange>();
    for (const { current, previous } of this.#events()) {
      if (current === undefined || previous !== undefined) continue;
      const range = this.#before(current);
      // A later version of an object has a range that contains the one before.
      if (range !== undefined) ranges.set(range.from, range);
    }
    return [...ranges.values()];
  }

  #before({ key, attributes: { fields = {} } }: Entry): PurgeRange | undefined {
    const kind = kindOf(this.#registry, fields[FIELDS.resource] ?? '');
    const generation = Number(fields[FIELDS.generation]);
    const kept = kind === undefined ? 0 : keptVersions(this.#registry.retention, kind);
    // What was deleted is not an earlier version.
    const first = generation - kept + (fields[FIELDS.isDeletion] === 'true' ? 0 : 1);
    if (first <= 1) return undefined;
    const prefix = [partsOf(key).namespace, fields[FIELDS.origin] ?? ''];
    return { index: BY_ORIGIN, from: encodeTuple(prefix), to: encodeTuple([...prefix, first]) };
  }

  /** The events since the last call. If they have left the ring, they are skipped. */
  #events(): readonly Event[] {
    const ring = this.#registry.cacher.ring(this.kind.qualified);
    if (ring !== this.#ring) this.#position = ring.end;
    this.#ring = ring;
    const found: Event[] = [];
    try {
      for (; this.#position < ring.end && found.length < EVENTS_AT_ONCE; this.#position++) {
        const event = ring.at(this.#position);
        if (event !== undefined) found.push(event);
      }
    } catch (error) {
      if (!isStorageError(error, 'compacted')) throw error;
      this.#position = ring.end;
    }
    return found;
  }

  async #expired(): Promise<readonly PurgeRange[]> {
    const now = this.#registry.clock.now();
    if (now < this.#next) return [];
    const due = { index: BY_EXPIRY, from: '', to: encodeTuple([now + 1]) };
    const rows = await this.#registry.uncached.range(this.kind.qualified, { ...due, limit: AT_ONCE });
    const last = rows.at(-1);
    if (last === undefined || rows.length < AT_ONCE) this.#next = now + EVERY;
    const ranges: PurgeRange[] = [];
    for (const { entry } of rows) ranges.push(...(await this.#deletionOf(entry)));
    return last === undefined ? ranges : [...ranges, { ...due, to: `${last.rowKey}\0` }];
  }

  /** The objects of a deletion with their earlier versions. The first object, by which the deletion is found, is removed last. */
  async #deletionOf(first: Entry): Promise<readonly PurgeRange[]> {
    const { namespace } = partsOf(first.key);
    const { spec } = objectOf<RetainedSpec>(first);
    if (spec?.deletion === undefined || spec.object === undefined) return this.#versionsOf(first);
    const ranges: PurgeRange[] = [];
    const { id } = spec.deletion;
    for await (const entry of new RetainedReader(this.#registry, this.kind, namespace).membersOf(id)) {
      // An object that was never changed has no earlier versions.
      if (entry.attributes.fields?.[FIELDS.generation] !== '1') ranges.push(...(await this.#versionsOf(entry)));
    }
    return [...ranges, deletedKeys(this.kind, namespace, id, 1)];
  }

  /** The versions before a deletion that has expired, unless the object has come back, or was deleted again. */
  async #versionsOf(entry: Entry): Promise<readonly PurgeRange[]> {
    const { namespace } = partsOf(entry.key);
    const kind = kindOf(this.#registry, entry.attributes.fields?.[FIELDS.resource] ?? '');
    if (kind !== undefined && (await this.#isNeeded(kind, namespace, formerOf(kind, entry)))) return [];
    const { fields = {} } = entry.attributes;
    const prefix = [namespace, fields[FIELDS.origin] ?? ''];
    const to = encodeTuple([...prefix, Number(fields[FIELDS.generation])]);
    return [{ index: BY_ORIGIN, from: encodeTuple(prefix), to }];
  }

  async #isNeeded(kind: Kind, namespace: string, { spec: { name, origin, generation } }: Former): Promise<boolean> {
    const living = this.#registry.reader.get(kind.qualified, namespace, name);
    if (living !== undefined && originOf(kind, living) === origin) return true;
    const reader = new RetainedReader(this.#registry, kind, namespace);
    const [newest] = await reader.versions(origin, Number.MAX_SAFE_INTEGER, 1);
    return (newest?.spec?.generation ?? 0) > generation;
  }
}
