import { StorageError } from '../errors.js';
import type { DomainDocument } from './documents.js';

export const FORMAT = 3;
/** The format in which the documents of the log and of the compaction had a collection of their own. */
export const HEADS_APART = 1;
/** The earlier formats, which a server that starts converts. In format 2, each change of the log had a document of its own. */
export const FORMER: readonly DomainDocument['format'][] = [HEADS_APART, 2];
/** The format of a database that is being filled from a backup or from another store. */
export const UNFINISHED = 'unfinished';

/** Throws `refused` if this version cannot read the data. */
export function checkFormat(found: Pick<DomainDocument, 'format'> | null): void {
  if (found?.format === FORMAT) return;
  if (found?.format === UNFINISHED) {
    throw refused(
      'The database is not complete: adminctl restore or adminctl copy was interrupted. Run the same command again.',
    );
  }
  if (found !== null && FORMER.includes(found.format)) {
    throw refused(
      'The database was written by an earlier version. Start a server of this version once: it converts the database.',
    );
  }
  throw refused(
    `The database was written by a later version (format ${found?.format}). Use that version or another database.`,
  );
}

export function refused(message: string, cause?: unknown): StorageError {
  return new StorageError('refused', message, { cause });
}
