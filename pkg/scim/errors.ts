import { retryHeaders } from '../http/errors.js';
import type { ApiResponse } from '../http/handler.js';
import { ApiError, type Reason } from '../kube/status/status.js';

export const SCIM_TYPE = 'application/scim+json';
const ERROR_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:Error';

/** What is wrong with a request, for programs (RFC 7644 §3.12, RFC 9865 §4). */
export type ScimType =
  | 'invalidFilter'
  | 'tooMany'
  | 'uniqueness'
  | 'mutability'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'invalidValue'
  | 'invalidCursor'
  | 'invalidCount';

/** Says of all names and addresses that are taken the same, so that nobody learns of accounts elsewhere. */
export const TAKEN = 'another object has this name or address';

const REASONS: Readonly<Record<number, Reason>> = {
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  409: 'Conflict',
  412: 'Conflict',
  413: 'RequestEntityTooLarge',
  415: 'UnsupportedMediaType',
};

/** A failure with the words of SCIM. */
export class ScimError extends ApiError {
  readonly scimType: ScimType | undefined;

  constructor(code: number, scimType: ScimType | undefined, detail: string, cause?: unknown) {
    super({ code, reason: REASONS[code] ?? 'BadRequest', message: detail, cause });
    this.name = 'ScimError';
    this.scimType = scimType;
  }
}

export const invalidValue = (detail: string): ScimError => new ScimError(400, 'invalidValue', detail);
export const invalidSyntax = (detail: string): ScimError => new ScimError(400, 'invalidSyntax', detail);
export const invalidPath = (detail: string): ScimError => new ScimError(400, 'invalidPath', detail);
export const invalidFilter = (detail: string): ScimError => new ScimError(400, 'invalidFilter', detail);
export const immutable = (detail: string): ScimError => new ScimError(400, 'mutability', detail);
export const notUnique = (detail: string): ScimError => new ScimError(409, 'uniqueness', detail);

/** The body of an error, also of an operation of a bulk request. */
export function errorBody(error: ApiError): Readonly<Record<string, unknown>> {
  const { code, scimType, message } = inScim(error);
  return { schemas: [ERROR_SCHEMA], status: String(code), ...(scimType && { scimType }), detail: message };
}

/** Renders any failure as SCIM does, also those of the server itself, such as 401 and 413. */
export function renderScimError(error: ApiError): ApiResponse {
  const body = errorBody(error);
  const headers = { 'content-type': SCIM_TYPE, 'cache-control': 'no-store', ...retryHeaders(error) };
  return { status: Number(body['status']), headers, body: Buffer.from(JSON.stringify(body)) };
}

/** The failure of a rule of the registry in the words of SCIM. */
function inScim(error: ApiError): Pick<ScimError, 'code' | 'scimType' | 'message'> {
  if (error instanceof ScimError) return error;
  const { code, reason, message, details } = error;
  const isTaken =
    reason === 'AlreadyExists' || details?.causes?.some((cause) => cause.reason === 'FieldValueDuplicate');
  if (isTaken === true) return { code: 409, scimType: 'uniqueness', message: TAKEN };
  if (code === 422) return { code: 400, scimType: 'invalidValue', message };
  if (code === 400) return { code, scimType: 'invalidSyntax', message };
  return { code, scimType: undefined, message };
}
