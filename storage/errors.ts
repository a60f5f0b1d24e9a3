import type { Revision } from './backend.js';

/** The codes of storage errors. */
export type StorageErrorCode =
  /** The log has grown, because another server wrote. Catch up and try again. */
  | 'behind'
  /** The log is not the one that was read: it was set back or replaced. Nothing was written. Load everything again. */
  | 'diverged'
  /** The requested revision was compacted or has left the bounded history. */
  | 'compacted'
  /** The requested revision does not exist yet. */
  | 'future'
  /** Nothing was written, and nothing can be written now (disk full, database unavailable). Safe to retry later. */
  | 'unavailable'
  /** It is unknown whether the write happened. Never retry it blindly, and never report success. */
  | 'unknown'
  /** One object of the batch cannot be stored, for example because it is too large; `key` names it. The others can. */
  | 'rejected'
  /** The transaction writes more than the store can commit at once. Nothing was written. */
  | 'too-large'
  /** A bounded queue is full. Nothing was written. */
  | 'overloaded'
  /**
   * The store cannot be opened: another process has locked it, it has another domain, or mongod is not a replica set.
   */
  | 'refused'
  /** The store is closed or closing. */
  | 'closed';

export class StorageError extends Error {
  readonly code: StorageErrorCode;
  /** With `rejected`: the key of the object. */
  readonly key: string | undefined;
  /** With `unavailable`: the disk has no room for so much. Less may fit. */
  readonly isFull: boolean;

  constructor(
    code: StorageErrorCode,
    message: string,
    options: { readonly cause?: unknown; readonly key?: string; readonly isFull?: boolean } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'StorageError';
    this.code = code;
    this.key = options.key;
    this.isFull = options.isFull === true;
  }
}

export function isStorageError(error: unknown, code?: StorageErrorCode): error is StorageError {
  return error instanceof StorageError && (code === undefined || error.code === code);
}

export function divergedError(revision: Revision, cause?: unknown): StorageError {
  const what = `The database was set back or replaced: it does not have revision ${revision} as this server has read it.`;
  return new StorageError('diverged', `${what} This server loads everything again.`, { cause });
}

export function closedError(): StorageError {
  return new StorageError('closed', 'the server is shutting down');
}

export function compactedError(after: Revision, compacted: Revision): StorageError {
  return new StorageError('compacted', `The changes after ${after} were removed: the log starts after ${compacted}.`);
}
