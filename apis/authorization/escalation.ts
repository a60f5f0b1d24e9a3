import { covers, type Grants, type Permission, widestPrefix } from '../../pkg/authz/grants.js';
import { forbidden, type GroupResource } from '../../pkg/status/errors.js';
import { ApiError } from '../../pkg/status/status.js';
import { MISSING } from '../../registry/authorization/denied.js';
import type { WriteContext } from '../../registry/strategy.js';
import { ROLE_SETS } from './roles.js';

/** The most permissions that an error message names. */
const NAMED = 10;
const IN_FOLDER = 'folders:uid:';

/** A write that grants permissions. */
export interface Grant {
  /** The object that is written, for the error. */
  readonly gr: GroupResource;
  readonly name: string;
  /** The permissions that the write adds. */
  readonly permissions: readonly Permission[];
}

/**
 * Refuses a write that grants permissions which its caller lacks: otherwise callers who may write roles could grant themselves everything.
 * Callers with all permissions of the role Admin may grant every permission in the organization. Throws 403.
 */
export function checkEscalation({ gr, name, permissions }: Grant, ctx: WriteContext): void {
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

/** A grant covers a scope if it is equal or wider. An action on all objects covers the action on the objects in a folder. */
function has(grants: Grants, { action, scope }: Permission): boolean {
  const scopes = grants.scopesOf(action);
  if (scopes === undefined || covers(scopes, scope)) return scopes !== undefined;
  return scope.startsWith(IN_FOLDER) && scopes.prefixes.includes(widestPrefix(action));
}

/** Actions on the whole server: users, organizations, settings, everything. An organization cannot grant them. */
const SERVER_WIDE = /^(\*|users|orgs|server|settings)(\.[a-zA-Z.]+)?(:|$)/;
const IN_ORGANIZATION = /^orgs\.preferences:/;

export function isServerWide(action: string): boolean {
  return SERVER_WIDE.test(action) && !IN_ORGANIZATION.test(action);
}
