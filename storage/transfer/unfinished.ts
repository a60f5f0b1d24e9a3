import { StorageError } from '../errors.js';

/**
 * The format of a store that is being filled from a backup or from another store. It is stored, so it never changes.
 */
export const UNFINISHED = 'unfinished';

/** The refusal to use such a store. */
export function unfinished(what: string): StorageError {
  return new StorageError(
    'refused',
    `${what} is not complete: adminctl restore or adminctl copy was interrupted. Run the same command again.`,
  );
}
