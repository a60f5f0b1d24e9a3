import type { Grants } from '../../pkg/identity/authz/grants.js';
import { forbidden } from '../../pkg/kube/status/errors.js';
import { ApiError } from '../../pkg/kube/status/status.js';
import type { RequestAttributes } from '../kinds/authorizer.js';
import type { Reader } from '../read/reader.js';
import { hasEverywhere, isCovered, isCoveredWholly, isWidest } from './covered.js';
import { hasRestrictedIn } from './restricted-contents.js';
import type { ScopeHierarchy } from './scope-hierarchy.js';

/** The reason of a status cause that names an action that the caller would gain by a move. */
export const ESCALATION = 'AccessEscalation';

const NONE: readonly string[] = [];

/**
 * The actions that a caller would gain on a container and its contents by moving it. Without this check, a caller who
 * may move a container could become its administrator: they could move it into a container that they administer.
 */
export function gainedByMove(
  { kind, namespace, name, object, old }: RequestAttributes,
  grants: Grants,
  hierarchy: ScopeHierarchy,
  reader: Reader,
): readonly string[] {
  if (object === undefined || old === undefined || hierarchy.container !== kind) return NONE;
  if (object.container === old.container) return NONE;
  const actions = [...new Set(grants.permissions.map(({ action }) => action))];
  const place = { hierarchy, namespace, reader };
  let isAnyInside: boolean | undefined;
  const hasInside = (): boolean => {
    isAnyInside ??= hasRestrictedIn(hierarchy.contents, kind, name, namespace, reader);
    return isAnyInside;
  };
  return actions.filter((action) => {
    const scopes = grants.scopesOf(action);
    if (scopes === undefined || isWidest(scopes, action)) return false;
    const isNew = isCovered(scopes, object, place) && !isCovered(scopes, old, place);
    if (isNew && !hasEverywhere(scopes, action, old, place)) return true;
    // A basic role does not reach what is restricted in the container. What the caller has in the destination by a
    // binding does.
    const isWholeNow = scopes.basic !== undefined && isCoveredWholly(scopes, object, place);
    return isWholeNow && !isCoveredWholly(scopes, old, place) && hasInside();
  });
}

/** 403 in Kubernetes' words. The causes name the actions that the caller would gain. */
export function escalationDenied(
  { user, kind, namespace, name }: RequestAttributes,
  actions: readonly string[],
): ApiError {
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace ${JSON.stringify(namespace)}`;
  const what = `User ${JSON.stringify(user.name)} cannot move resource ${JSON.stringify(kind.resource)} in API group ${JSON.stringify(kind.group)} ${where}`;
  const detail = `they have more permissions in the destination than on it: ${actions.join(', ')}`;
  const { code, reason, message, details } = forbidden(kind, name, `${what}: ${detail}`);
  const causes = actions.map((action) => ({ reason: ESCALATION, message: action }));
  return new ApiError({ code, reason, message, details: { ...details, causes } });
}
