import { StorageError } from '../errors.js';
import { UNFINISHED, unfinished } from '../unfinished.js';
import type { DomainDocument } from './documents.js';

/** In it, a commit may have one document of the log for all of its changes. */
export const FORMAT = 3;
/** The format in which the documents of the log and of the compaction had a collection of their own. */
export const HEADS_APART = 1;
/** The format in which each change of the log has a document of its own. All servers of this version can read it, and write it while others need it. */
export const CHANGES_APART = 2;
const READABLE: readonly DomainDocument['format'][] = [FORMAT, CHANGES_APART];

/** Throws `refused` if this version cannot read the data. */
export function checkFormat(found: Pick<DomainDocument, 'format'> | null): void {
  if (found !== null && READABLE.includes(found.format)) return;
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
