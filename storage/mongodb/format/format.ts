import { StorageError } from '../../errors.js';
import { UNFINISHED, unfinished } from '../../transfer/unfinished.js';
import type { DomainDocument } from './documents.js';

/** In it, a commit writes the log alone, and the objects follow. */
export const FORMAT = 5;
/** The format in which a commit wrote the objects, too. */
export const WITH_OBJECTS = 4;
/** The format in which the documents of the log and of the compaction had a collection of their own. */
export const HEADS_APART = 1;
/**
 * The formats with index rows and counts. All that this version needs is in the same places, and so it is in format 4.
 */
export const WITH_ROWS: readonly DomainDocument['format'][] = [2, 3];

/** Throws `refused` if this version cannot read the data. */
export function checkFormat(found: Pick<DomainDocument, 'format'> | null): void {
  if (found !== null && (found.format === FORMAT || found.format === WITH_OBJECTS || WITH_ROWS.includes(found.format)))
    return;
  if (found?.format === UNFINISHED) throw unfinished('The database');
  if (found?.format === HEADS_APART) {
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
