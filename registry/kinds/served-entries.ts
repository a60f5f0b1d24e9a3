import type { KubeObject } from '../../pkg/kube/meta/types.js';
import { extended } from '../../pkg/system/object/extended.js';
import { yielding } from '../../pkg/system/yielding/yielding.js';
import { type Entry, MemoryEntry } from '../../storage/state/entry.js';
import { objectOf } from '../read/reader.js';
import { isServedAsStored } from './conversion.js';
import type { Kind } from './kind.js';

/** Entries that are served as they are, as those of `kind`. */
interface ServedEntries {
  readonly kind: Kind;
  readonly entries: readonly Entry[];
}

/**
 * Entries in the form in which they are served, if it takes time to make it. Rejects with an ApiError if one of them
 * cannot be served.
 */
export async function servedEntries(kind: Kind, entries: readonly Entry[]): Promise<ServedEntries> {
  if (kind.serve === undefined) return { kind, entries };
  const others = entries.filter((entry) => !isServedAsStored(kind, entry));
  const objects = others.length === 0 ? [] : await kind.serve(others.map((entry) => objectOf(entry)));
  const made = new Map<Entry, Entry>();
  for await (const [i, entry] of yielding(others.entries())) made.set(entry, entryOf(entry, objects[i] as KubeObject));
  return { kind: asServed(kind), entries: entries.map((entry) => made.get(entry) ?? entry) };
}

/** Fields are read from the object, because those that are stored beside it are those of its stored form. */
function entryOf({ key, revision, attributes }: Entry, object: KubeObject): Entry {
  const own = extended(attributes, { labels: object.metadata.labels, fields: undefined });
  return new MemoryEntry(key, revision, Buffer.from(JSON.stringify(object)), own);
}

const known = new WeakMap<Kind, Kind>();

/** The kind of objects that have been made ready to be served. The same kind if that takes no time. */
export function asServed(kind: Kind): Kind {
  if (kind.serve === undefined) return kind;
  const { conversion: _, completion: __, serve: ___, ...rest } = kind;
  const served = known.get(kind) ?? rest;
  known.set(kind, served);
  return served;
}
