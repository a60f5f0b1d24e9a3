import { BitSet } from '../../../pkg/system/collections/bit-set.js';
import type { Entry } from '../../state/entry.js';
import { Memtable } from '../../state/memtable.js';
import type { ResourceState } from '../../state/resource-state.js';
import type { Numbers } from '../format/build.js';
import type { Table } from '../format/table.js';
import { TableView } from '../format/table-view.js';

/**
 * The same content, after entries that were in memory were written as a table. Meanwhile some of them may have been
 * replaced or removed.
 */
export function afterFlush(current: ResourceState, flushed: readonly Entry[], table: Table): ResourceState {
  const deleted = new BitSet();
  const memtable = new Memtable();
  let ordinal = 0;
  for (const entry of current.memory()) {
    while (ordinal < flushed.length && (flushed[ordinal] as Entry).key < entry.key) deleted.add(ordinal++);
    const isFlushed = flushed[ordinal] === entry;
    if (flushed[ordinal]?.key === entry.key && !isFlushed) deleted.add(ordinal);
    if (flushed[ordinal]?.key === entry.key) ordinal++;
    if (!isFlushed) memtable.put(entry);
  }
  while (ordinal < flushed.length) deleted.add(ordinal++);
  return current.keptAs(memtable, [...current.parts, new TableView(table, deleted)]);
}

/** A part that was merged into a table, and the numbers that its objects have there. */
export interface MergedView {
  readonly part: TableView;
  readonly numbers: Numbers;
}

/**
 * The same content, after parts were merged into a table. `undefined`: nothing was left of them. Meanwhile more of
 * their objects may have gone.
 */
export function afterMerge(
  current: ResourceState,
  merged: readonly MergedView[],
  table: Table | undefined,
): ResourceState {
  const deleted = new BitSet();
  const parts: TableView[] = [];
  let isPlaced = table === undefined;
  for (const part of current.parts) {
    const from = merged.find((one) => one.part.table === part.table);
    if (from === undefined) {
      parts.push(part.clone());
      continue;
    }
    for (const ordinal of part.deleted.since(from.part.deleted)) deleted.add(from.numbers[ordinal] as number);
    if (!isPlaced && table !== undefined) parts.push(new TableView(table, deleted));
    isPlaced = true;
  }
  return current.keptAs(undefined, parts);
}
