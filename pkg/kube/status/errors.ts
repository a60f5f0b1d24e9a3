import { boundedCauses } from './causes.js';
import { ApiError, type StatusCause, type StatusDetails } from './status.js';

/** A plural resource name and its group, as in messages and in `details.kind`. */
export interface GroupResource {
  readonly group: string;
  readonly resource: string;
}

const qualified = (gr: GroupResource): string => (gr.group === '' ? gr.resource : `${gr.resource}.${gr.group}`);
const detailsOf = ({ group, resource }: GroupResource, name: string): StatusDetails => named(name, group, resource);
/** As in Kubernetes, an empty name is left out. */
const named = (name: string, group: string, kind: string): StatusDetails => ({ ...(name && { name }), group, kind });

export function badRequest(message: string, cause?: unknown): ApiError {
  return new ApiError({ code: 400, reason: 'BadRequest', message, cause });
}

/** Legacy clients distinguish failures by `messageId`. In a Status, it is in `details.uid`. */
export function unauthorized(message = 'Unauthorized', messageId = 'auth.unauthorized'): ApiError {
  return new ApiError({ code: 401, reason: 'Unauthorized', message, details: { uid: messageId } });
}

export function forbidden(gr: GroupResource, name: string, detail: string): ApiError {
  const subject = name === '' ? qualified(gr) : `${qualified(gr)} ${JSON.stringify(name)}`;
  return new ApiError({
    code: 403,
    reason: 'Forbidden',
    message: `${subject} is forbidden: ${detail}`,
    details: detailsOf(gr, name),
  });
}

/**
 * 403, as Kubernetes answers when a quota is used up. The legacy API has the message, too, because of the identifier:
 * it is no lack of permissions.
 */
export function quotaExceeded(gr: GroupResource, name: string, detail: string): ApiError {
  const { code, reason, message, details } = forbidden(gr, name, `exceeded quota: ${detail}`);
  return new ApiError({ code, reason, message, details: { ...details, uid: 'quota.exceeded' } });
}

export function notFound(gr: GroupResource, name: string): ApiError {
  const message = `${qualified(gr)} ${JSON.stringify(name)} not found`;
  return new ApiError({ code: 404, reason: 'NotFound', message, details: detailsOf(gr, name) });
}

/** For deletions of objects that may be gone already. */
export function ignoreMissing(error: unknown): void {
  if (!(error instanceof ApiError) || error.reason !== 'NotFound') throw error;
}

/** For creations of objects that another server may have created. */
export function ignoreExisting(error: unknown): void {
  if (!(error instanceof ApiError) || error.reason !== 'AlreadyExists') throw error;
}

/** There is no such path, group, version or resource. client-go's REST mapper reads this answer as NoMatch. */
export function pathNotFound(): ApiError {
  return new ApiError({
    code: 404,
    reason: 'NotFound',
    message: 'the server could not find the requested resource',
    details: {},
  });
}

/** Kubernetes' clients have these words themselves, because kube-apiserver sends no body here. */
export function methodNotAllowed(): ApiError {
  const message = 'the server does not allow this method on the requested resource';
  return new ApiError({ code: 405, reason: 'MethodNotAllowed', message, details: {} });
}

/** The resource exists, but not with this verb. */
export function verbNotSupported(gr: GroupResource, verb: string): ApiError {
  const message = `${verb} is not supported on resources of kind ${JSON.stringify(qualified(gr))}`;
  const details = { group: gr.group, kind: gr.resource };
  return new ApiError({ code: 405, reason: 'MethodNotAllowed', message, details });
}

export function notAcceptable(accepted: readonly string[]): ApiError {
  const message = `only the following media types are accepted: ${accepted.join(', ')}`;
  return new ApiError({ code: 406, reason: 'NotAcceptable', message });
}

export function unsupportedMediaType(accepted: readonly string[]): ApiError {
  const message = `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`;
  return new ApiError({ code: 415, reason: 'UnsupportedMediaType', message });
}

/** If the object is being deleted, the message says so, because the name will be free. */
export function alreadyExists(gr: GroupResource, name: string, isTerminating = false): ApiError {
  const prefix = isTerminating ? 'object is being deleted: ' : '';
  const message = `${prefix}${qualified(gr)} ${JSON.stringify(name)} already exists`;
  return new ApiError({ code: 409, reason: 'AlreadyExists', message, details: detailsOf(gr, name) });
}

export function conflict(gr: GroupResource, name: string, detail: string, causes?: readonly StatusCause[]): ApiError {
  const message = `Operation cannot be fulfilled on ${qualified(gr)} ${JSON.stringify(name)}: ${detail}`;
  const details = { ...detailsOf(gr, name), ...(causes === undefined ? {} : { causes }) };
  return new ApiError({ code: 409, reason: 'Conflict', message, details });
}

/** Why a write with the resourceVersion of an earlier state is a conflict. */
export const MODIFIED = 'the object has been modified; please apply your changes to the latest version and try again';

/**
 * `kind` is the Kind, not the plural (docs/wire-contract.md, section 6). Kubernetes answers 422; a kind may answer 400.
 */
export function invalid(
  kind: { readonly group: string; readonly kind: string },
  name: string,
  all: readonly StatusCause[],
  code = 422,
): ApiError {
  const causes = boundedCauses(all);
  const text = causes.map((cause) => (cause.field === undefined ? cause.message : `${cause.field}: ${cause.message}`));
  const list = text.length === 1 ? text[0] : `[${text.join(', ')}]`;
  const subject = `${kind.kind}${kind.group === '' ? '' : `.${kind.group}`} ${JSON.stringify(name)}`;
  return new ApiError({
    code,
    reason: 'Invalid',
    message: `${subject} is invalid: ${list}`,
    details: { ...named(name, kind.group, kind.kind), causes },
  });
}

/**
 * The revision or continue token is too old. A watch sends it as an event of the stream (docs/wire-contract.md, section
 * 4.5).
 */
export function expired(message: string, continueToken?: string): ApiError {
  return new ApiError({
    code: 410,
    reason: 'Expired',
    message,
    ...(continueToken === undefined ? {} : { continueToken }),
  });
}

/** `setting` is the setting of the server that can be raised. */
export function tooLarge(limit: number, setting?: string): ApiError {
  const where = setting === undefined ? '' : ` bytes (the setting ${setting} of the server)`;
  const message = `Request entity too large: limit is ${limit}${where}`;
  return new ApiError({ code: 413, reason: 'RequestEntityTooLarge', message });
}

export const tooDeep = (levels: number): ApiError => badRequest(`the body is nested deeper than ${levels} levels`);

export function tooManyValues(limit: number): ApiError {
  const message = `Request entity too large: the body has more than ${limit} values`;
  return new ApiError({ code: 413, reason: 'RequestEntityTooLarge', message });
}

export function tooManyMembers(limit: number): ApiError {
  const message = `Request entity too large: an object in the body has more than ${limit} members`;
  return new ApiError({ code: 413, reason: 'RequestEntityTooLarge', message });
}

export function tooManyDefaults(values: number, bytes: number): ApiError {
  const message = `Request entity too large: the defaults of its schema would add more than ${values} values or ${bytes} bytes to the object`;
  return new ApiError({ code: 413, reason: 'RequestEntityTooLarge', message });
}

export function tooManyRequests(seconds = 1, message = 'Too many requests, please try again later.'): ApiError {
  return new ApiError({
    code: 429,
    reason: 'TooManyRequests',
    message,
    details: { retryAfterSeconds: seconds },
  });
}

/**
 * An unexpected error, or a write with an unknown outcome. Never has Retry-After (docs/wire-contract.md, section 6).
 */
export function internalError(message: string, cause?: unknown): ApiError {
  return new ApiError({
    code: 500,
    reason: 'InternalError',
    message: `Internal error occurred: ${message}`,
    details: { causes: [{ message }] },
    cause,
  });
}

/**
 * Something is missing that the request needs. With `retryAfterSeconds`, nothing was done, and a retry may succeed.
 * Leave it out if a part may be done, or if an operator has to act first.
 */
export function serviceUnavailable(message: string, cause?: unknown, retryAfterSeconds?: number): ApiError {
  const details = retryAfterSeconds === undefined ? undefined : { retryAfterSeconds };
  return new ApiError({ code: 503, reason: 'ServiceUnavailable', message, cause, ...(details && { details }) });
}

export function timeout(message: string, retryAfterSeconds?: number, causes?: readonly StatusCause[]): ApiError {
  const details = {
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    ...(causes === undefined ? {} : { causes }),
  };
  return new ApiError({ code: 504, reason: 'Timeout', message, details });
}

/** The revision does not exist yet. Reflectors look for this cause. */
export function resourceVersionTooLarge(wanted: number | bigint, current: number): ApiError {
  const message = `Timeout: Too large resource version: ${wanted}, current: ${current}`;
  return timeout(message, 1, [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }]);
}
