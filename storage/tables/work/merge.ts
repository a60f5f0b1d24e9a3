import type { State } from '../../state/state.js';
import type { TableFile } from '../folder/checkpoint.js';
import { buildTable } from '../format/build.js';
import type { TableLayout } from '../format/layout.js';
import type { Sink } from '../format/sink.js';
import { PartSource } from '../format/source.js';
import type { FileSize } from './merges.js';
import { afterMerge, type MergedView } from './rebase.js';

/** What is left of a file. */
export function sizeOf({ tables }: TableFile, state: State): FileSize {
  let [bytes, deleted, objects] = [0, 0, 0];
  for (const [resource, table] of tables) {
    const part = state.resource(resource).partOf(table);
    const size = part?.size ?? 0;
    objects += size;
    bytes += (table.bytes * size) / table.length;
    deleted += (table.bytes * (table.length - size)) / table.length;
  }
  return { bytes, deletedBytes: deleted, objects };
}

/** The parts of some files by resource, with space for the numbers that their objects get. */
export function mergedParts(files: readonly TableFile[], state: State): Map<string, MergedView[]> {
  const merged = new Map<string, MergedView[]>();
  for (const { tables } of files) {
    for (const [resource, table] of tables) {
      const part = state.resource(resource).partOf(table);
      if (part === undefined) continue;
      const parts = merged.get(resource) ?? [];
      parts.push({ part, numbers: new Int32Array(0) });
      merged.set(resource, parts);
    }
  }
  return merged;
}

/** Writes what is left of the parts as one table for each resource. */
export async function writeMerged(sink: Sink, merged: Map<string, MergedView[]>) {
  const layout: Record<string, TableLayout> = {};
  for (const [resource, parts] of merged) {
    const sources = parts.map(({ part }) => new PartSource(part));
    if (parts.every(({ part }) => part.size === 0)) continue;
    const built = await buildTable(sink, sources);
    layout[resource] = built.layout;
    merged.set(
      resource,
      parts.map(({ part }, i) => ({ part, numbers: built.numbers[i] ?? new Int32Array(0) })),
    );
  }
  return layout;
}

/** The resources after their parts were merged into a file. */
export function* mergedIn(current: State, merged: ReadonlyMap<string, readonly MergedView[]>, { tables }: TableFile) {
  for (const [resource, parts] of merged)
    yield [resource, afterMerge(current.resource(resource), parts, tables.get(resource))] as const;
}
