import { covers, type Grants, type Permission, type Scopes, widestPrefix } from '../../pkg/identity/authz/grants.js';
import { forbidden, type GroupResource } from '../../pkg/kube/status/errors.js';
import { ApiError } from '../../pkg/kube/status/status.js';
import { MISSING } from '../../registry/authorization/denied.js';
import { hasRestrictedIn } from '../../registry/authorization/restricted-contents.js';
import { type ResourceName, resourceName } from '../../registry/kinds/names.js';
import type { ReportedEvent, Reports } from '../../registry/kinds/reports.js';
import type { WriteContext } from '../../registry/kinds/strategy.js';
import type { Entry } from '../../registry/read/reader.js';
import type { AccessEnvironment } from '../environment.js';
import { ROOT } from '../folder/placement.js';

/** The most permissions that an error message names. */
const NAMED = 10;
const IN_FOLDER = 'folders:uid:';
const ON_DASHBOARD = 'dashboards:uid:';
/** The most folders above each other. More would be a cycle. */
const DEEPEST = 1000;

/** A write would have given permissions that its caller lacks. */
export class EscalationDenied extends ApiError {}

/** Somebody tried to give permissions that they do not have. */
function reported(error: ApiError): ReportedEvent | undefined {
  if (!(error instanceof EscalationDenied)) return undefined;
  return { reason: 'EscalationDenied', type: 'Warning', message: error.message };
}

/** For kinds whose writes give permissions: administrators are told who tried to give more than they have. */
export const escalationReports: Reports = { refused: reported };

/** A write that grants permissions. */
export interface Grant {
  /** The object that is written, for the error. */
  readonly gr: GroupResource;
  readonly name: string;
  /** The permissions that the write adds. */
  readonly permissions: readonly Permission[];
  /** The caller wrote the scopes, so that the error may name them all. */
  readonly isOwn?: true;
  /** The kind itself refuses actions on the whole server, and names the field. */
  readonly refusesServerWide?: true;
}

/**
 * Refuses a write that grants permissions which its caller lacks: otherwise callers who may write roles could grant
 * themselves everything. Callers with all permissions of the role Admin may grant every permission in the organization,
 * but none on the server: a token, a team or a membership with such a role is only for those who have its permissions.
 * Throws 403.
 */
export function checkEscalation(grant: Grant, ctx: WriteContext, { access, domain }: AccessEnvironment): void {
  const { permissions, isOwn = false, refusesServerWide = false } = grant;
  const grants = permissions.length === 0 ? undefined : ctx.grants();
  if (grants === undefined) return;
  const has = hasPermission(grants, ctx, domain);
  const isAdmin = (access.roles['Admin'] ?? []).every(has);
  if (isAdmin && refusesServerWide) return;
  const lacking = permissions.filter((permission) => (!isAdmin || isOfServer(permission)) && !has(permission));
  if (lacking.length === 0) return;
  const shown = ({ scope }: Permission): string => (isOwn || mayName(scope, ctx, domain) ? scope : HIDDEN);
  const first = lacking.slice(0, NAMED);
  const named = new Set(
    first.map((permission) =>
      permission.scope === '' ? permission.action : `${permission.action} on ${shown(permission)}`,
    ),
  );
  const more = lacking.length > NAMED ? ` and ${lacking.length - NAMED} more` : '';
  const why = `User ${JSON.stringify(ctx.user.name)} cannot give permissions that they do not have: ${[...named].join(', ')}${more}`;
  const actions = first.map(({ action }) => action);
  throw escalationDenied(grant, actions, why);
}

function escalationDenied({ gr, name }: Pick<Grant, 'gr' | 'name'>, actions: readonly string[], why: string): Error {
  const { code, reason, message, details } = forbidden(gr, name, why);
  const causes = actions.map((action) => ({ reason: MISSING, message: action }));
  return new EscalationDenied({ code, reason, message, details: { ...details, causes } });
}

/**
 * Refuses a binding in a folder that reaches further than what its caller has there: a basic role that administers the
 * folder does not reach what is private in it, but a team does. Throws 403.
 */
export function checkReach(reaching: Reaching, ctx: WriteContext, domain: string): void {
  const { folder, action } = reaching;
  const grants = ctx.grants();
  const scopes = grants?.scopesOf(action);
  if (grants === undefined || scopes?.basic === undefined) return;
  const permission = { action, scope: `${IN_FOLDER}${folder}` };
  const has = hasPermission(grants, ctx, domain);
  if (has(permission)) return;
  // Others are refused by the authorizer, or write with the permissions of the server.
  if (!has({ ...permission, isBasic: true })) return;
  const why = `User ${JSON.stringify(ctx.user.name)} cannot give permissions on what is private in the folder ${JSON.stringify(folder)}: they have none on it. The subject can be a basic role`;
  throw escalationDenied(reaching, [action], why);
}

/** A binding on a folder to somebody who is no basic role. */
export interface Reaching extends Pick<Grant, 'gr' | 'name'> {
  readonly folder: string;
  /** What its caller needs on the folder. */
  readonly action: string;
}

const HIDDEN = 'an object that you may not view';
/** The kinds whose objects the scopes of permissions name by uid. */
const BY_UID: ReadonlyMap<string, ResourceName> = new Map([
  ['folders', 'folder/folders'],
  ['dashboards', 'dashboard/dashboards'],
  ['teams', 'iam/teams'],
  ['serviceaccounts', 'iam/serviceaccounts'],
  ['roles', 'iam/roles'],
  ['users', 'iam/users'],
]);

/**
 * Whether an error may name the scope of a permission that the caller would give. A role, a team or an account may have
 * permissions on objects that the caller may not view. A scope of all objects names none.
 */
function mayName(scope: string, { visible, namespace }: WriteContext, domain: string): boolean {
  const [plural = '', key, ...rest] = scope.split(':');
  const id = rest.join(':');
  if (key === undefined || (key === '*' && id === '') || id === '*' || id === ROOT) return true;
  const resource = BY_UID.get(plural);
  if (resource === undefined || key !== 'uid') return false;
  return visible(resourceName(resource, domain), plural === 'users' ? '' : namespace, id) !== undefined;
}

/** A folder or a dashboard, or a folder above it. */
interface GrantTarget {
  readonly scope: string;
  readonly entry: Entry | undefined;
}

/**
 * A grant covers a scope if it is equal or wider. An action on all objects covers the action on a dashboard and on the
 * objects in a folder, and an action on a folder covers what lies in it. Permissions of basic roles end at what is
 * private, so on a folder with something private in it they cover only permissions of basic roles.
 */
function hasPermission(
  grants: Grants,
  { reader, namespace }: WriteContext,
  domain: string,
): (permission: Permission) => boolean {
  const [folders, dashboards] = [resourceName('folder/folders', domain), resourceName('dashboard/dashboards', domain)];
  const kinds = [{ qualified: folders }, { qualified: dashboards }];
  const known = new Map<string, boolean>();
  const hasPrivate = (folder: string): boolean => {
    const has = known.get(folder) ?? hasRestrictedIn(kinds, { qualified: folders }, folder, namespace, reader);
    known.set(folder, has);
    return has;
  };
  return (permission) => {
    const { action, scope, isBasic } = permission;
    const scopes = grants.scopesOf(action);
    if (scopes === undefined) return false;
    const places = placesOf(permission, { reader, namespace }, domain);
    if (covers(scopes, scope) || isCoveredAbove(scopes, action, places)) return true;
    const { basic } = scopes;
    if (basic === undefined) return false;
    if (places.length === 0) return isBasic === true && covers(basic, scope);
    if (!isCoveredByBasic(basic, action, places)) return false;
    return isBasic === true || !scope.startsWith(IN_FOLDER) || !hasPrivate(scope.slice(IN_FOLDER.length));
  };
}

/**
 * What a basic role has comes down from the top, or from the folder that a binding names, and ends at the first private
 * place.
 */
function isCoveredByBasic(basic: Scopes, action: string, places: readonly GrantTarget[]): boolean {
  const end = places.findIndex(({ entry }) => entry?.attributes.isRestricted === true);
  if (end === -1) return isCoveredAbove(basic, action, places);
  return places.slice(0, end + 1).some(({ scope }) => basic.exact.has(scope));
}

function isCoveredAbove(scopes: Scopes, action: string, places: readonly GrantTarget[]): boolean {
  if (places.length === 0) return false;
  return scopes.prefixes.includes(widestPrefix(action)) || places.some((place) => covers(scopes, place.scope));
}

/**
 * The folder or the dashboard of a permission, and the folders that contain it, from the nearest one upwards. None for
 * other scopes.
 */
function placesOf(
  { scope }: Permission,
  { reader, namespace }: Pick<WriteContext, 'reader' | 'namespace'>,
  domain: string,
): readonly GrantTarget[] {
  const find = (resource: ResourceName, name: string): Entry | undefined =>
    reader.entry(resourceName(resource, domain), namespace, name);
  const isFolder = scope.startsWith(IN_FOLDER);
  if (!isFolder && !scope.startsWith(ON_DASHBOARD)) return [];
  const own = isFolder
    ? find('folder/folders', scope.slice(IN_FOLDER.length))
    : find('dashboard/dashboards', scope.slice(ON_DASHBOARD.length));
  const places: GrantTarget[] = [{ scope, entry: own }];
  const isInRoot = !isFolder && own !== undefined && own.attributes.container === undefined;
  // The root is no object. The dashboard itself decides whether it is private.
  if (isInRoot) places.push({ scope: `${IN_FOLDER}${ROOT}`, entry: undefined });
  for (let name = own?.attributes.container; name !== undefined && places.length < DEEPEST; ) {
    const entry = find('folder/folders', name);
    places.push({ scope: `${IN_FOLDER}${name}`, entry });
    name = entry?.attributes.container;
  }
  return places;
}

/**
 * Actions on the server as a whole: its settings, the kinds that it has, its operation, and the accounts that a
 * provisioning system makes. They count outside of the organization of the role. Actions on custom kinds are not among
 * them: these have a group with a dot, as in `server.shop.example.com:read`.
 */
const OF_SERVER = /^(settings|customresourcedefinitions|(server|scim)\.[a-zA-Z]+):/;

export function isOfServer({ action }: Permission): boolean {
  return OF_SERVER.test(action);
}

/**
 * Actions on the whole server: users and their provisioning, organizations, settings, everything. An organization
 * cannot grant them. Actions on custom kinds are not among them: these have a group with a dot, as in
 * `users.shop.example.com:read`.
 */
const SERVER_WIDE = /^(\*|users|orgs|server|scim|settings|customresourcedefinitions)(\.[a-zA-Z]+)?(:|$)/;
const IN_ORGANIZATION = /^orgs\.preferences:/;

export function isServerWide(action: string): boolean {
  return SERVER_WIDE.test(action) && !IN_ORGANIZATION.test(action);
}
