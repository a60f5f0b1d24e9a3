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
  const gone = new BitSet();
  const memtable = new Memtable();
  let at = 0;
  for (const entry of current.memory()) {
    while (at < flushed.length && (flushed[at] as Entry).key < entry.key) gone.add(at++);
    const isFlushed = flushed[at] === entry;
    if (flushed[at]?.key === entry.key && !isFlushed) gone.add(at);
    if (flushed[at]?.key === entry.key) at++;
    if (!isFlushed) memtable.put(entry);
  }
  while (at < flushed.length) gone.add(at++);
  return current.keptAs(memtable, [...current.parts, new TableView(table, gone)]);
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
  const gone = new BitSet();
  const parts: TableView[] = [];
  let isPlaced = table === undefined;
  for (const part of current.parts) {
    const from = merged.find((one) => one.part.table === part.table);
    if (from === undefined) {
      parts.push(part.clone());
      continue;
    }
    for (const at of part.gone.since(from.part.gone)) gone.add(from.numbers[at] as number);
    if (!isPlaced && table !== undefined) parts.push(new TableView(table, gone));
    isPlaced = true;
  }
  return current.keptAs(undefined, parts);
}
