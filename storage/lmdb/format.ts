import { StorageError } from '../errors.js';
import { UNFINISHED, unfinished } from '../transfer/unfinished.js';
import { type LmdbTables, META } from './tables.js';

/** The format of tables and records. Data of another format is refused. */
export const FORMAT = 3;
/** The format whose objects are always as new as the log. All that this version needs is in the same places. */
export const TOGETHER = 2;
/** The same with tables of index rows and counts. */
export const WITH_ROWS = 1;

const READ: ReadonlySet<unknown> = new Set([FORMAT, TOGETHER, WITH_ROWS]);

/** Throws `refused` if this version cannot read the data. */
export function checkFormat({ meta }: Pick<LmdbTables, 'meta'>, path: string): void {
  const format = meta.get(META.format);
  if (READ.has(format)) return;
  if (format === undefined) throw new StorageError('refused', `The embedded store in ${path} is empty.`);
  if (format === UNFINISHED) throw unfinished(`The store in ${path}`);
  throw new StorageError(
    'refused',
    `The data in ${path} has format ${JSON.stringify(format)}; this server reads format ${FORMAT}. Use the version of the server that wrote it.`,
  );
}
