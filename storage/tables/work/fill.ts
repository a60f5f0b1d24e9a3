import { yieldToLoop } from '../../../pkg/system/yielding/yielding.js';
import type { Backend } from '../../backend.js';
import { type Entry, loadedEntry } from '../../state/entry.js';
import type { ResourceDefinition } from '../../state/resource.js';
import type { TableFolder } from '../folder/folder.js';
import { TableView } from '../format/table-view.js';
import { writeEntries } from './flush.js';

/** Bytes of objects in one file. */
const FILE_BYTES = 8 * 2 ** 20;

/** The objects of a resource: most of them in files. */
interface Filled {
  readonly parts: readonly TableView[];
  readonly rest: Entry[];
}

interface FillSource {
  readonly backend: Backend;
  readonly folder: TableFolder;
  readonly onError: (error: unknown) => void;
  /** Rejects with its reason. */
  readonly signal: AbortSignal;
}

/**
 * Reads the current objects of a resource from the store into files, so that they are never in memory all at once.
 * Objects that would make a small file stay in memory, and so do those that cannot be written.
 */
export async function fillTables(source: FillSource, definition: ResourceDefinition): Promise<Filled> {
  const { backend, folder, onError, signal } = source;
  const parts: TableView[] = [];
  let rest: Entry[] = [];
  let bytes = 0;
  let isWritable = true;
  for await (const chunk of backend.load(definition.resource)) {
    for (const stored of chunk) {
      const entry = loadedEntry(definition, stored);
      rest.push(entry);
      bytes += entry.size;
    }
    await yieldToLoop();
    signal.throwIfAborted();
    if (bytes < FILE_BYTES || !isWritable) continue;
    try {
      parts.push(await writeFile(folder, definition.resource, rest, bytes));
      [rest, bytes] = [[], 0];
    } catch (error) {
      // For example the disk is full. The server goes on with what fits in memory.
      isWritable = false;
      onError(error);
    }
  }
  return { parts, rest };
}

async function writeFile(folder: TableFolder, resource: string, entries: Entry[], bytes: number): Promise<TableView> {
  // The store sorts by bytes. That is another order for keys with characters beyond the Basic Multilingual Plane.
  entries.sort((a, b) => (a.key < b.key ? -1 : 1));
  const file = await folder.write((sink) => writeEntries(sink, new Map([[resource, entries]])), bytes);
  folder.use(file);
  const table = file.tables.get(resource);
  if (table === undefined) throw new Error(`the file has no table of ${resource}`);
  return new TableView(table);
}
