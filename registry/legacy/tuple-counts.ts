import { encodeTuple, type Tuple } from '../../storage/tuple.js';
import type { ObjectReader } from '../objects.js';
import type { Entry } from '../reader.js';

/** The objects that have one tuple in an index. */
export interface TupleCount {
  readonly count: number;
  /** One of the objects. */
  readonly entry: Entry;
  isOf(tuple: Tuple): boolean;
}

/** Counts the objects that the caller may view by their tuples in an index. It parses no object. */
export function tupleCounts(objects: ObjectReader, index: string): readonly TupleCount[] {
  const filter = objects.readFilter();
  const counts = new Map<string, { count: number; readonly entry: Entry }>();
  for (const entry of objects.entries()) {
    if (!filter.all && !filter.allows(entry)) continue;
    for (const { index: own, tuple } of entry.attributes.rows) {
      if (own !== index) continue;
      const known = counts.get(tuple);
      if (known === undefined) counts.set(tuple, { count: 1, entry });
      else known.count++;
    }
  }
  return [...counts].map(([text, found]) => ({ ...found, isOf: (tuple) => encodeTuple(tuple) === text }));
}
