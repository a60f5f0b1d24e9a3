import { messageOf } from '../../pkg/system/errors/message.js';
import type { ErrorCodec } from '../../pkg/system/ipc/calls.js';
import { isStorageError, StorageError, type StorageErrorCode } from '../errors.js';

interface Sent {
  readonly code: StorageErrorCode | undefined;
  readonly message: string;
  readonly key: string | undefined;
  readonly isFull: boolean;
}

/** Sends a StorageError with its code and what else it tells. Any other error stays an error with its message. */
export const storageErrors: ErrorCodec = {
  encode: (error): Sent =>
    isStorageError(error)
      ? { code: error.code, message: error.message, key: error.key, isFull: error.isFull }
      : { code: undefined, message: messageOf(error), key: undefined, isFull: false },
  decode: (encoded) => {
    const { code, message, key, isFull } = encoded as Sent;
    if (code === undefined) return new Error(message);
    return new StorageError(code, message, { isFull, ...(key !== undefined && { key }) });
  },
};
