/** metav1.Status, the body of every error of the resource API (wire contract, section 6). */
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
  | 'Timeout';

export type CauseReason =
  | 'FieldValueRequired'
  | 'FieldValueInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueDuplicate'
  | 'FieldValueForbidden'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany'
  | 'FieldValueTypeInvalid'
  | 'FieldValueNotFound'
  | 'FieldManagerConflict'
  | 'ResourceVersionTooLarge'
  | 'UnexpectedServerResponse';

export interface StatusCause {
  readonly reason?: CauseReason | (string & {});
  readonly message: string;
  /** Where, as a path: `spec.title`, `metadata.annotations[svc.app/folder]`. */
  readonly field?: string;
}

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

/** What may follow a failed request: everything the door needs to answer. */
export interface ApiErrorOptions {
  readonly code: number;
  readonly reason: Reason;
  readonly message: string;
  readonly details?: StatusDetails;
  /** An inconsistent-continuation token, with 410 Expired. */
  readonly continueToken?: string;
  readonly cause?: unknown;
}

/** A failed request, with what its caller is told. Anything else that is thrown becomes a 500 that says nothing of its inside. */
export class ApiError extends Error {
  readonly code: number;
  readonly reason: Reason;
  readonly details: StatusDetails | undefined;
  readonly continueToken: string | undefined;

  constructor(options: ApiErrorOptions) {
    super(options.message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ApiError';
    this.code = options.code;
    this.reason = options.reason;
    this.details = options.details;
    this.continueToken = options.continueToken;
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
