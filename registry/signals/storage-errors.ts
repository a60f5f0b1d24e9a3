import {
  badRequest,
  expired,
  internalError,
  resourceVersionTooLarge,
  serviceUnavailable,
  tooManyRequests,
} from '../../pkg/kube/status/errors.js';
import { ApiError } from '../../pkg/kube/status/status.js';
import { isStorageError, type StorageError } from '../../storage/errors.js';

/**
 * Seconds. kubectl and other clients of client-go ask ten times more. An election of MongoDB takes up to twelve
 * seconds, so that is longer than one.
 */
const OUTAGE = 2;
/** Seconds. A load balancer or the client then asks another server, or this one after its restart. */
const SHUTDOWN = 1;

/**
 * The API error for a storage error (docs/wire-contract.md, section 6). Other errors stay as they are; the HTTP layer
 * answers them with 500.
 */
export function apiErrorOf(error: unknown): unknown {
  return isStorageError(error) ? translate(error) : error;
}

function translate(error: StorageError): ApiError {
  switch (error.code) {
    case 'compacted':
      return expired(error.message);
    case 'future':
      return resourceVersionTooLarge(0, 0);
    case 'overloaded':
      return tooManyRequests();
    case 'too-large':
      return tooMuch(error);
    case 'rejected':
      return new ApiError({ code: 413, reason: 'RequestEntityTooLarge', message: error.message, cause: error });
    case 'unavailable':
    case 'diverged':
    case 'behind':
      return serviceUnavailable(
        'the store cannot be reached or cannot write at the moment; nothing was changed',
        error,
        OUTAGE,
      );
    case 'closed':
      return serviceUnavailable('the server is shutting down', error, SHUTDOWN);
    case 'unknown':
      return internalError(
        'it is unknown whether the store has written the change; read the object to find out',
        error,
      );
    case 'refused':
      return badRequest(error.message, error);
  }
}

function tooMuch(cause: StorageError): ApiError {
  const message = 'the request writes more than the store can commit at once; nothing was changed';
  return new ApiError({ code: 413, reason: 'RequestEntityTooLarge', message, cause });
}
