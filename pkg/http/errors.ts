import { tooManyRequests } from '../kube/status/errors.js';
import { ApiError } from '../kube/status/status.js';
import type { ApiRequest, ApiResponse } from './handler.js';
import { jsonResponse } from './json.js';
import { inAcceptedForm } from './negotiation/forms.js';

/** Turns a failure into a response: a Status for the resource API, another body where an API has its own form. */
export type ErrorRenderer = (error: ApiError, request: ApiRequest) => ApiResponse;

/**
 * Retry-After tells Kubernetes' clients that nothing was done. They then send the request again, even a write. So it is
 * only in answers that mean this.
 */
const SAFE_TO_REPEAT = new Set([429, 503]);

/**
 * Whether it refuses a read of a revision that this server has not seen yet. This 504 means that nothing was done. The
 * 504 of a slow write does not.
 */
export function isTooNew({ details }: ApiError): boolean {
  return details?.causes?.some(({ reason }) => reason === 'ResourceVersionTooLarge') === true;
}

export function retryHeaders(error: ApiError): Readonly<Record<string, string>> {
  const seconds = error.details?.retryAfterSeconds;
  return seconds !== undefined && (SAFE_TO_REPEAT.has(error.code) || isTooNew(error))
    ? { 'retry-after': String(seconds) }
    : {};
}

export const renderStatus: ErrorRenderer = (error, request) =>
  inAcceptedForm(
    request,
    jsonResponse(request, error.code, error.toStatus(), { ...retryHeaders(error), ...request.failureHeaders }),
  );

/** An error that is no ApiError is a fault of the server. Clients see nothing of it. */
export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const message = 'an error on the server; its log has more under this Audit-ID';
  return new ApiError({
    code: 500,
    reason: 'InternalError',
    message: `Internal error occurred: ${message}`,
    details: { causes: [{ message }] },
    cause: error,
  });
}

export const overloaded = (): ApiError => tooManyRequests(1);
