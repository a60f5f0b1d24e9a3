import { type Permission, widestPrefix } from '../../../pkg/identity/authz/grants.js';
import { closestName } from '../../../pkg/system/text/closest-name.js';
import type { Kind } from '../../../registry/kinds/kind.js';
import type { BuiltInAccess } from '../../access.js';
import { meant } from '../../authorization/permissions.js';
import { ORGANIZATION_SETS } from '../organization/access.js';
import { SERVICE_ACCOUNT_SETS } from '../serviceaccount/access.js';
import { TEAM_SETS } from '../team/access.js';

/** Actions that no kind asks for, but routes of the legacy API and of SCIM. */
const ROUTE_ACTIONS = [
  'ldap.config:reload',
  'ldap.status:read',
  'ldap.user:read',
  'ldap.user:sync',
  'scim.groups:read',
  'scim.groups:write',
  'scim.users:read',
  'scim.users:write',
  'server.audit:read',
  'server.metrics:read',
  'server.stats:read',
  'users.authtoken:read',
  'users.authtoken:write',
  'users.password:write',
  'users.permissions:write',
  'users:disable',
  'users:enable',
  'users:logout',
];

/** By action, the words with which scopes begin that it has an effect on. Without words, every scope is allowed. */
export type ActionScopes = ReadonlyMap<string, ReadonlySet<string>>;

/** All actions of the server. `access` has those of the custom kinds, too. */
export function actionScopes(kinds: readonly Kind[], { roles, folders, dashboards }: BuiltInAccess): ActionScopes {
  const scopes = new Map<string, Set<string>>();
  const add = (action: string, word: string): void => {
    const words = scopes.get(action) ?? new Set([wordOf(action), wordOf(widestPrefix(action))]);
    if (word !== '') words.add(word);
    scopes.set(action, words);
  };
  for (const kind of kinds) for (const action of actionsOf(kind)) add(action, '');
  for (const { action, scope } of Object.values(roles).flat()) add(action, wordOf(scope));
  const levels = {
    folders,
    dashboards,
    serviceaccounts: SERVICE_ACCOUNT_SETS,
    teams: TEAM_SETS,
    orgs: ORGANIZATION_SETS,
  };
  for (const [word, sets] of Object.entries(levels))
    for (const action of Object.values(sets as Readonly<Record<string, readonly string[]>>).flat()) add(action, word);
  for (const action of ROUTE_ACTIONS) scopes.set(action, new Set());
  return scopes;
}

function actionsOf({ permissions }: Kind): readonly string[] {
  if (permissions === undefined) return [];
  const { get, create, update, delete: remove, move = [], subresources = {}, restriction } = permissions;
  const ofParts = Object.values(subresources).flatMap((actions) => Object.values(actions).flat());
  return [get, create, update, remove, move, ofParts, restriction?.actions ?? []].flat();
}

const wordOf = (text: string): string => text.slice(0, Math.max(text.indexOf(':'), 0));

/** The most permissions of a role that are warned of one by one. */
const MOST_NAMED = 8;

/** Warnings of the permissions that allow nothing on this server. */
export function permissionWarnings(permissions: readonly Permission[], scopes: ActionScopes): readonly string[] {
  const all = meant(permissions).map((permission, index) => ({ ...permission, index }));
  const useless = all.filter((permission) => !mayAllow(permission, scopes));
  const more = useless.length - MOST_NAMED;
  const warnings = useless
    .slice(0, MOST_NAMED)
    .map((permission) => `spec.permissions[${permission.index}].${problemOf(permission, scopes)}`);
  return more > 0 ? [...warnings, `${more} more permissions allow nothing`] : warnings;
}

function mayAllow({ action, scope }: Permission, scopes: ActionScopes): boolean {
  if (action.endsWith('*')) return true;
  const words = scopes.get(action);
  if (words === undefined) return false;
  return scope === '' || scope === '*' || words.size === 0 || words.has(wordOf(scope));
}

function problemOf({ action, scope }: Permission, scopes: ActionScopes): string {
  if (scopes.has(action)) return `scope: ${action} has no effect on ${scope}, so it allows nothing`;
  const similar = closestName(action, [...scopes.keys()]);
  const advice = similar === undefined ? '' : `: did you mean ${similar}?`;
  return `action: this server knows no action ${action}, so it allows nothing${advice}`;
}
