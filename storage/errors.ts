/** What went wrong below the API, as a union that a `switch` can narrow. */
export type StorageErrorCode =
  /** The log no longer ends where the caller thought: another server wrote. Catch up and try again. */
  | 'behind'
  /** The revision asked for has been compacted away, or has left the bounded history. */
  | 'compacted'
  /** The revision asked for has not happened yet. */
  | 'future'
  /** Nothing was written and nothing can be now (disk full, database away). Safe to try again later. */
  | 'unavailable'
  /** It cannot be told whether the write happened. Never retry blindly, never say "created". */
  | 'unknown'
  /** One object of the batch cannot be stored (too large for the store); `key` names it. The others can. */
  | 'rejected'
  /** A bounded queue is full. Nothing was written. */
  | 'overloaded'
  /** The store cannot be opened as asked (locked by another process, another domain, a standalone mongod …). */
  | 'refused'
  /** The store is closed or closing. */
  | 'closed';

export class StorageError extends Error {
  readonly code: StorageErrorCode;
  /** The key that was at fault, with `rejected`. */
  readonly key: string | undefined;

  constructor(
    code: StorageErrorCode,
    message: string,
    options: { readonly cause?: unknown; readonly key?: string } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'StorageError';
    this.code = code;
    this.key = options.key;
  }
}

export function isStorageError(error: unknown, code?: StorageErrorCode): error is StorageError {
  return error instanceof StorageError && (code === undefined || error.code === code);
}
