import type { ApiRequest } from '../../pkg/http/handler.js';
import { encodeJson } from '../../pkg/http/json.js';
import type { KubeObject } from '../../pkg/kube/meta/types.js';
import { conflict, invalid, MODIFIED } from '../../pkg/kube/status/errors.js';
import { ApiError } from '../../pkg/kube/status/status.js';
import { AnsweredError, type KindNames, NAME_REQUIRED, type RestConventions } from './conventions.js';

interface PlainConventions {
  /** Annotations that a bare body keeps if it leaves them out. An empty value removes one. */
  readonly keptAnnotations: readonly string[];
}

/**
 * The conventions of kinds that plain HTTP callers also use: bare bodies, 400 for invalid fields, 412 for a stale PUT,
 * and the object as the answer to DELETE.
 */
export function plainConventions({ keptAnnotations }: PlainConventions): RestConventions {
  const wrong: RestConventions['invalid'] = (kind, name, causes) => invalid(kind, name, causes, 400);
  return {
    invalid: wrong,
    nameRequired: (kind) =>
      wrong(kind, '', [{ reason: 'FieldValueRequired', message: NAME_REQUIRED, field: 'metadata.name' }]),
    staleVersion: (kind, name, request, isBare) => {
      const { message, body } = isBare || isPlainCaller(request) ? plainMismatch(kind) : mismatch(kind, name);
      // Callers compare the media type, with its charset.
      const headers = { 'content-type': 'application/json; charset=UTF-8' };
      return new AnsweredError(message, { status: 412, headers, body: encodeJson(body) });
    },
    acceptsBareBodies: true,
    completeBare: (body, old) => withAnnotationsOf(body, old, keptAnnotations),
    returnsDeletedObject: true,
  };
}

/** Whether the request has `If-Match`, and none of the parameters that only Kubernetes clients send. */
function isPlainCaller({ headers, query }: ApiRequest): boolean {
  return headers['if-match'] !== undefined && !query.has('fieldManager') && !query.has('fieldValidation');
}

interface Mismatch {
  readonly message: string;
  readonly body: unknown;
}

/** The answer of the legacy API. */
function plainMismatch({ singular }: KindNames): Mismatch {
  const message = `the ${singular} has been changed by someone else`;
  return { message, body: { message, status: 'version-mismatch' } };
}

/** A Status that client-go handles as a conflict. */
function mismatch(kind: KindNames, name: string): Mismatch {
  const causes = [{ reason: 'version-mismatch', message: MODIFIED, field: 'metadata.resourceVersion' }];
  const { message, reason, details } = conflict(kind, name, MODIFIED, causes);
  const error = new ApiError({ code: 412, reason, message, ...(details && { details }) });
  return { message, body: error.toStatus() };
}

function withAnnotationsOf(body: KubeObject, old: KubeObject, keys: readonly string[]): KubeObject {
  const { annotations } = body.metadata;
  const kept = keys.flatMap((key) => {
    const value = old.metadata.annotations?.[key];
    return value === undefined || annotations?.[key] !== undefined ? [] : [[key, value] as const];
  });
  if (kept.length === 0) return body;
  return { ...body, metadata: { ...body.metadata, annotations: { ...annotations, ...Object.fromEntries(kept) } } };
}
