import { ApiError } from '../pkg/kube/status/status.js';

/** Seconds after which a client may try again. Many objects are read from the store in a second. */
const RETRY_AFTER = 2;

/**
 * A local file of objects has other bytes than were written. It is an error of the API from the beginning, because
 * everything that reads an object may meet it, and each caller is to get the same answer: the data is not lost, and is
 * there again soon.
 */
export class DamageError extends ApiError {
  readonly path: string;

  constructor(path: string, what: string) {
    super({
      code: 503,
      reason: 'ServiceUnavailable',
      message: 'a local file of objects is damaged; this server makes it again from the store, and nothing was changed',
      details: { retryAfterSeconds: RETRY_AFTER },
      cause: new Error(`${path} is damaged: ${what}`),
    });
    this.name = 'DamageError';
    this.path = path;
  }
}

/** The damage of a file that the disk cannot read. */
export function unreadable(path: string, error: unknown): DamageError {
  return new DamageError(path, `it cannot be read: ${error instanceof Error ? error.message : String(error)}`);
}

/** What is damaged, for operators. */
export function damageOf({ cause, message }: DamageError): string {
  return cause instanceof Error ? cause.message : message;
}

export function isDamage(error: unknown): error is DamageError {
  return error instanceof DamageError;
}
