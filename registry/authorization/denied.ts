import { forbidden } from '../../pkg/kube/status/errors.js';
import { ApiError } from '../../pkg/kube/status/status.js';
import type { RequestAttributes } from '../kinds/authorizer.js';

/** The reason of a status cause that names a missing action. */
export const MISSING = 'MissingPermission';

/** 403 in Kubernetes' words. The causes name the missing actions, and `detail` says what it takes. */
export function permissionDenied(
  attributes: RequestAttributes,
  actions: readonly string[],
  detail = neededPermissions(actions),
): ApiError {
  const { user, verb, kind, namespace, name, subresource = '' } = attributes;
  const resource = subresource === '' ? kind.resource : `${kind.resource}/${subresource}`;
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace ${JSON.stringify(namespace)}`;
  const needs = actions.length === 0 ? '' : `: ${detail}`;
  const text = `User ${JSON.stringify(user.name)} cannot ${verb} resource ${JSON.stringify(resource)} in API group ${JSON.stringify(kind.group)} ${where}${needs}`;
  const plain = forbidden({ group: kind.group, resource }, name, text);
  const causes = actions.map((action) => ({ reason: MISSING, message: action }));
  const details = { ...plain.details, ...(causes.length === 0 ? {} : { causes }) };
  return new ApiError({ code: plain.code, reason: plain.reason, message: plain.message, details });
}

/** Names the actions, as a part of a sentence. */
export function neededPermissions(actions: readonly string[]): string {
  return `it takes the permission${actions.length === 1 ? '' : 's'} ${actions.join(' and ')}`;
}

/** The missing actions that a 403 names. Empty for other errors, and if no grant allows the request. */
export function missingActions(error: unknown): readonly string[] {
  if (!(error instanceof ApiError) || error.reason !== 'Forbidden') return [];
  return (error.details?.causes ?? []).filter(({ reason }) => reason === MISSING).map(({ message }) => message);
}

/** The message of a 403 on the legacy API. */
export function missingPermissionsMessage(actions: readonly string[]): string {
  const needed = actions.length === 0 ? '' : ` Permissions needed: ${actions.join(', ')}`;
  return `You'll need additional permissions to perform this action.${needed}`;
}
