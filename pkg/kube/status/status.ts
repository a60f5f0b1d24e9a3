import { boundedCauses, boundedMessage, type StatusCause } from './causes.js';

export type { CauseReason, StatusCause } from './causes.js';

/** The reasons of metav1.Status, the body of every error of the resource API (docs/wire-contract.md, section 6). */
export type Reason =
  | 'BadRequest'
  | 'Unauthorized'
  | 'Forbidden'
  | 'NotFound'
  | 'MethodNotAllowed'
  | 'NotAcceptable'
  | 'UnsupportedMediaType'
  | 'AlreadyExists'
  | 'Conflict'
  | 'Expired'
  | 'Gone'
  | 'RequestEntityTooLarge'
  | 'Invalid'
  | 'TooManyRequests'
  | 'InternalError'
  | 'ServerTimeout'
  | 'ServiceUnavailable'
  | 'InsufficientStorage'
  | 'Timeout';

export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
}

export interface Status {
  readonly kind: 'Status';
  readonly apiVersion: 'v1';
  readonly metadata: { readonly continue?: string };
  readonly status: 'Success' | 'Failure';
  readonly message?: string;
  readonly reason?: Reason;
  readonly details?: StatusDetails;
  readonly code?: number;
}

/** All that is needed to answer a failed request. */
export interface ApiErrorOptions {
  readonly code: number;
  readonly reason: Reason;
  readonly message: string;
  readonly details?: StatusDetails;
  /** With 410 Expired: a token to continue the list at the latest revision. */
  readonly continueToken?: string;
  readonly cause?: unknown;
  /** For failures of the server: the reason has been logged, so that it is not logged again for each request. */
  readonly isLogged?: boolean;
}

function boundedDetails(details: StatusDetails | undefined): StatusDetails | undefined {
  if (details?.causes === undefined) return details;
  const causes = boundedCauses(details.causes);
  return causes === details.causes ? details : { ...details, causes };
}

/** A failed request and the answer to its caller. Any other error is answered 500, without details. */
export class ApiError extends Error {
  readonly code: number;
  readonly reason: Reason;
  readonly details: StatusDetails | undefined;
  readonly continueToken: string | undefined;
  readonly isLogged: boolean;

  /** Cuts a message and causes that are too long, whatever made them: a request decides how much is wrong with it. */
  constructor(options: ApiErrorOptions) {
    super(boundedMessage(options.message), options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ApiError';
    this.code = options.code;
    this.reason = options.reason;
    this.details = boundedDetails(options.details);
    this.continueToken = options.continueToken;
    this.isLogged = options.isLogged ?? false;
  }

  toStatus(): Status {
    return {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: this.continueToken === undefined ? {} : { continue: this.continueToken },
      status: 'Failure',
      message: this.message,
      reason: this.reason,
      ...(this.details === undefined ? {} : { details: this.details }),
      code: this.code,
    };
  }
}
