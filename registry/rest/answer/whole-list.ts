import type { Entry } from '../../../storage/state/entry.js';
import type { Collection, KeyRange } from '../../collection/collection.js';
import { awaited } from './list-body.js';
import type { Batch } from './list-chunks.js';

const BATCH = 1000;

/**
 * The entries of a range of keys. Each batch is read when the one before was sent: all entries of a large list at once
 * would outlive the collections of young objects, and would fill the memory until the next collection of old ones.
 */
export function* batchesOf(
  collection: Collection,
  { low, high }: KeyRange,
): Generator<Batch | Promise<void>, void, undefined> {
  let entries = yield* read(collection, { low, high });
  for (;;) {
    const last = entries.at(-1);
    const next = last === undefined ? [] : yield* read(collection, { low: `${last.key}\0`, high });
    yield { entries, isLast: next.length === 0 };
    if (next.length === 0) return;
    entries = next;
  }
}

function* read(collection: Collection, range: KeyRange): Generator<Promise<void>, readonly Entry[], undefined> {
  const entries = collection.take(range, BATCH);
  return entries instanceof Promise ? yield* awaited(entries) : entries;
}
