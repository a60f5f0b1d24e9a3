import { type Permission, widestPrefix } from '../../pkg/identity/authz/grants.js';
import { resourceName } from '../../registry/kinds/names.js';
import type { WriteContext } from '../../registry/kinds/strategy.js';
import type { BuiltInAccess } from '../access.js';
import type { AccessEnvironment } from '../environment.js';
import type { RoleSpec } from '../iam/role/schema.js';
import { type BindingSubject, BY_SUBJECT, type RoleBindingSpec, roleNamespace } from '../iam/rolebinding/schema.js';
import { SERVICE_ACCOUNT_SETS } from '../iam/serviceaccount/access.js';
import { BY_USER, type TeamBindingSpec } from '../iam/teambinding/schema.js';
import { accessIn } from './defined.js';

/** The organization of a write, at the state on which the write commits. */
type Organization = Pick<WriteContext, 'reader' | 'namespace'>;

/**
 * The permissions that these subjects have together: by their role, and by everything that is bound to them. A disabled
 * account counts as if it were enabled, because it may be enabled again.
 */
export function permissionsOfSubjects(
  subjects: readonly BindingSubject[],
  organization: Organization,
  environment: AccessEnvironment,
): readonly Permission[] {
  return [
    ...roleSetsOf(subjects, accessIn(organization.reader, environment)),
    ...bindingsOf(subjects, organization, environment.domain).flatMap((binding) =>
      permissionsOfBinding(binding, organization, environment),
    ),
  ];
}

export function permissionsOfBinding(
  binding: RoleBindingSpec,
  { reader, namespace }: Organization,
  environment: AccessEnvironment,
): readonly Permission[] {
  const { domain } = environment;
  const { roleRef } = binding;
  const place = roleNamespace(roleRef, namespace);
  const role =
    roleRef.kind === 'BuiltIn' ? undefined : reader.get(resourceName('iam/roles', domain), place, roleRef.name)?.spec;
  return boundPermissions(binding, role as RoleSpec | undefined, accessIn(reader, environment));
}

/**
 * The same, with the custom role of the binding already read. A role in a folder grants its actions on that folder, and
 * therefore on everything below. A role on a dashboard or a service account grants them on that. What a basic role has
 * in a folder ends where something in it is private.
 */
export function boundPermissions(
  binding: RoleBindingSpec,
  role: RoleSpec | undefined,
  access: BuiltInAccess,
): readonly Permission[] {
  const permissions = givenPermissions(binding, role, access);
  return endsInPrivate(binding) ? permissions.map((permission) => ({ ...permission, isBasic: true })) : permissions;
}

/**
 * Whether what a binding gives in a folder ends where something in it is private. Administrators have access there
 * anyway.
 */
function endsInPrivate({ subject, scope }: RoleBindingSpec): boolean {
  return scope?.folder !== undefined && subject.kind === 'BasicRole' && subject.name !== 'Admin';
}

function givenPermissions(
  { roleRef, scope }: RoleBindingSpec,
  role: RoleSpec | undefined,
  access: BuiltInAccess,
): readonly Permission[] {
  const isGiven = roleRef.kind !== 'GlobalRole' || role?.global === true;
  const custom = isGiven ? meant(role?.permissions ?? []) : [];
  const place = placeOf(scope, access);
  if (place === undefined) return roleRef.kind === 'BuiltIn' ? rolePermissions(roleRef.name, access) : custom;
  if (roleRef.kind !== 'BuiltIn')
    return actionsOn(
      custom.map(({ action }) => action),
      place.scope,
    );
  return actionsOn(setNamed(place.sets, roleRef.name), place.scope);
}

/**
 * The built-in set of this name. Clients choose names, and one may be that of a member that every object has, such as
 * `constructor`.
 */
function setNamed<One>(sets: Readonly<Record<string, readonly One[]>>, name: string): readonly One[] {
  return (Object.hasOwn(sets, name) ? sets[name] : undefined) ?? [];
}

/**
 * With this scope, existing clients mean all roles whose permissions the caller has. This server always checks that.
 */
const DELEGATED = 'permissions:type:delegate';

/** The permissions of a custom role in the scopes of this server. */
export function meant(permissions: readonly Permission[]): readonly Permission[] {
  if (!permissions.some(({ scope }) => scope === DELEGATED)) return permissions;
  return permissions.map((permission) =>
    permission.scope === DELEGATED ? { ...permission, scope: `${widestPrefix(permission.action)}*` } : permission,
  );
}

/** What the members of an organization with a role may do. */
export function rolePermissions(role: string, access: BuiltInAccess): readonly Permission[] {
  return setNamed(access.roles, role);
}

interface PermissionTarget {
  readonly scope: string;
  /** The built-in sets of actions that can be granted there. */
  readonly sets: Readonly<Record<string, readonly string[]>>;
}

function placeOf(
  scope: RoleBindingSpec['scope'],
  { folders, dashboards }: BuiltInAccess,
): PermissionTarget | undefined {
  const { folder, dashboard, serviceAccount } = scope ?? {};
  if (folder !== undefined) return { scope: `folders:uid:${folder}`, sets: folders };
  if (serviceAccount !== undefined)
    return { scope: `serviceaccounts:uid:${serviceAccount}`, sets: SERVICE_ACCOUNT_SETS };
  return dashboard === undefined ? undefined : { scope: `dashboards:uid:${dashboard}`, sets: dashboards };
}

export function actionsOn(actions: readonly string[], scope: string): readonly Permission[] {
  const permissions: Permission[] = [];
  for (const action of actions) permissions.push({ action, scope });
  return permissions;
}

export function accountSubjects(name: string, role: string): readonly BindingSubject[] {
  return [{ kind: 'ServiceAccount', name }, basicRole(role)];
}

export function basicRole(name: string): BindingSubject {
  return { kind: 'BasicRole', name };
}

/** The subjects through which a user with this role has permissions: the user, the role, and the user's teams. */
export function memberSubjects(
  uid: string,
  role: string,
  { reader, namespace }: Organization,
  domain: string,
): readonly BindingSubject[] {
  const teams = reader
    .range(resourceName('iam/teambindings', domain), BY_USER, [uid], Number.POSITIVE_INFINITY)
    .filter(({ metadata }) => metadata.namespace === namespace)
    .map(({ spec }): BindingSubject => ({ kind: 'Team', name: (spec as TeamBindingSpec).teamRef.name }));
  return [{ kind: 'User', name: uid }, basicRole(role), ...teams];
}

function roleSetsOf(subjects: readonly BindingSubject[], access: BuiltInAccess): readonly Permission[] {
  return subjects.flatMap(({ kind, name }) => (kind === 'BasicRole' ? rolePermissions(name, access) : []));
}

function bindingsOf(
  subjects: readonly BindingSubject[],
  { reader, namespace }: Organization,
  domain: string,
): readonly RoleBindingSpec[] {
  const bindings = resourceName('iam/rolebindings', domain);
  return subjects.flatMap(({ kind, name }) =>
    reader
      .range(bindings, BY_SUBJECT, [namespace, kind, name], Number.POSITIVE_INFINITY)
      .map(({ spec }) => spec as RoleBindingSpec),
  );
}
