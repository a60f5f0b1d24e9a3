import { covers, type Grants, type Permission, widestPrefix } from '../../pkg/authz/grants.js';
import { forbidden, type GroupResource } from '../../pkg/status/errors.js';
import { ApiError } from '../../pkg/status/status.js';
import { MISSING } from '../../registry/authorization/denied.js';
import type { WriteContext } from '../../registry/strategy.js';
import { ROLE_SETS } from './roles.js';

/** What a message names at most. */
const NAMED = 10;
const IN_FOLDER = 'folders:uid:';

/** An object that gives permissions to somebody. */
export interface Gift {
  readonly gr: GroupResource;
  readonly name: string;
  /** What it gives that it did not give before. */
  readonly permissions: readonly Permission[];
}

/**
 * Nobody gives what they do not have, or who may write roles could give themselves all that there are. Administrators of the organization give
 * whatever there is in it. Throws 403.
 */
export function checkGift({ gr, name, permissions }: Gift, ctx: WriteContext): void {
  const grants = permissions.length === 0 ? undefined : ctx.grants();
  if (grants === undefined || (ROLE_SETS['Admin'] ?? []).every((one) => has(grants, one))) return;
  const lacking = permissions.filter((one) => !has(grants, one));
  if (lacking.length === 0) return;
  const named = lacking.slice(0, NAMED).map(({ action, scope }) => (scope === '' ? action : `${action} on ${scope}`));
  const more = lacking.length > NAMED ? ` and ${lacking.length - NAMED} more` : '';
  const why = `User ${JSON.stringify(ctx.user.name)} cannot give permissions that they do not have: ${named.join(', ')}${more}`;
  const { code, reason, message, details } = forbidden(gr, name, why);
  const causes = lacking.slice(0, NAMED).map(({ action }) => ({ reason: MISSING, message: action }));
  throw new ApiError({ code, reason, message, details: { ...details, causes } });
}

/** A wide scope is had by those who have it, or a wider one; an action in a folder by those who have it everywhere. */
function has(grants: Grants, { action, scope }: Permission): boolean {
  const scopes = grants.scopesOf(action);
  if (scopes === undefined || covers(scopes, scope)) return scopes !== undefined;
  return scope.startsWith(IN_FOLDER) && scopes.prefixes.includes(widestPrefix(action));
}
