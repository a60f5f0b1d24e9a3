import type { Entry } from '../../state/entry.js';
import type { ResourceState } from '../../state/resource-state.js';
import type { Draft } from '../../state/state.js';
import type { TableFile } from '../folder/checkpoint.js';
import type { TableFolder } from '../folder/folder.js';
import { buildTable } from '../format/build.js';
import type { FileLayout, TableLayout } from '../format/layout.js';
import type { Sink } from '../format/sink.js';
import { EntriesSource } from '../format/source.js';
import { afterFlush } from './rebase.js';

interface Resources {
  resource(resource: string): ResourceState;
}

/** Bytes of objects of a resource in memory that are written to a file while a state is loaded. */
const LARGE = 16 * 2 ** 20;

/**
 * Writes the objects of a draft that nobody else uses to files, if there are many in memory. Throws if they cannot be
 * written; they stay in memory.
 */
export async function flushLarge(folder: TableFolder, draft: Draft): Promise<void> {
  for (const resource of [...draft.resources]) {
    const state = draft.resource(resource);
    if (state.bytes < LARGE || !folder.keeps(resource)) continue;
    const flushed = new Map([[resource, [...state.memory()]]]);
    const file = await folder.write((sink) => writeEntries(sink, flushed), state.bytes);
    for (const [name, next] of flushedIn(draft, flushed, file)) draft.fill(name, next);
    folder.use(file);
  }
}

/** Writes objects that are in memory as tables, by resource. */
export async function writeEntries(sink: Sink, flushed: ReadonlyMap<string, readonly Entry[]>): Promise<FileLayout> {
  const layout: Record<string, TableLayout> = {};
  for (const [resource, entries] of flushed) {
    layout[resource] = (await buildTable(sink, [new EntriesSource(entries)])).layout;
  }
  return layout;
}

/** The resources after their objects were written to a file. */
export function* flushedIn(
  current: Resources,
  flushed: ReadonlyMap<string, readonly Entry[]>,
  { tables }: TableFile,
): Generator<readonly [resource: string, state: ResourceState], void, undefined> {
  for (const [resource, entries] of flushed) {
    const table = tables.get(resource);
    if (table === undefined) throw new Error(`the file has no table of ${resource}`);
    yield [resource, afterFlush(current.resource(resource), entries, table)] as const;
  }
}
