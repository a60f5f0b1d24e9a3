import { ApiError } from '../../pkg/kube/status/status.js';
import { MISSING, missingActions } from '../authorization/denied.js';
import type { Kind } from '../kinds/kind.js';
import type { WriteContext } from '../kinds/strategy.js';

interface Refused {
  readonly kind: Kind;
  readonly namespace: string;
  readonly name: string;
}

/**
 * The refusal of a write to an object that the request does not name itself, such as one that lies in what it deletes.
 * If the caller may not view the object, the answer tells neither its name nor what its rules say about it, but only
 * what is missing.
 */
export function unnamed(error: unknown, { kind, namespace, name }: Refused, { visible }: WriteContext, what: string) {
  if (!(error instanceof ApiError) || error.details?.name === undefined) return error;
  if (visible(kind.qualified, namespace, name) !== undefined) return error;
  const missing = missingActions(error);
  const causes = missing.map((message) => ({ reason: MISSING, message }));
  return new ApiError({
    code: error.code,
    reason: error.reason,
    message: `${what}: an object of the kind ${kind.kind} that you may not view${missing.length === 0 ? '' : `. It takes ${missing.join(' and ')} on it`}`,
    details: { group: kind.group, kind: kind.resource, ...(causes.length > 0 && { causes }) },
  });
}
