import type { Entry } from '../state/entry.js';
import type { State } from '../state/state.js';
import type { TableFile } from './checkpoint.js';

/** The entry that was written last. */
export function newestOf(flushed: Iterable<readonly Entry[]>): Entry | undefined {
  let newest: Entry | undefined;
  for (const entries of flushed) {
    for (const entry of entries) if (newest === undefined || entry.revision > newest.revision) newest = entry;
  }
  return newest;
}

/** The newest object of the files. */
export function newestIn(state: State, files: readonly TableFile[]): Entry | undefined {
  let newest: Entry | undefined;
  for (const { tables } of files) {
    for (const [resource, table] of tables) {
      const entry = state.resource(resource).partOf(table)?.newest();
      if (entry !== undefined && entry.revision > (newest?.revision ?? 0)) newest = entry;
    }
  }
  return newest;
}
