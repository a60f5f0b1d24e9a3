import type { KubeObject } from '../../../../pkg/kube/meta/types.js';
import type { ObjectReader } from '../../../../registry/client/object-reader.js';
import type { LegacyCall, LegacyTransaction } from '../../../../registry/legacy/call.js';
import { accessDenied } from '../../../../registry/legacy/errors.js';
import { DEFAULT_ORGANIZATION } from '../../names.js';
import type { RoleBindingSpec } from '../../rolebinding/schema.js';
import { BY_GLOBAL, type RoleSpec } from '../schema.js';
import type { Role } from './dto.js';

type Verb = 'get' | 'update' | 'delete';
export type RoleRef = RoleBindingSpec['roleRef'];

/**
 * Finds a role by its uid: of the organization, or a global one, which lies in the first organization. Who may read or
 * give the roles of an organization may do so there with global ones. Changing those needs the permissions of the first
 * organization. Throws 403 and 404 as for a role of the organization.
 */
export function roleFor(source: LegacyCall | LegacyTransaction, verb: Verb | 'give', uid: string): Role {
  const own = source.objects<RoleSpec>('iam/Role');
  const role = own.find(uid) === undefined ? globalRoles(source).find(uid) : undefined;
  if (role?.spec?.global !== true) return own.getFor(verb === 'give' ? 'update' : verb, uid) as Role;
  if (verb === 'update' || verb === 'delete') return globalRoles(source).getFor(verb, uid) as Role;
  const action = verb === 'get' ? 'roles:read' : 'roles:write';
  if (!own.may(action, role)) throw accessDenied([action]);
  return role as Role;
}

export function globalRoles(source: LegacyCall | LegacyTransaction): ObjectReader<RoleSpec> {
  return source.objects<RoleSpec>('iam/Role', DEFAULT_ORGANIZATION);
}

/** The global roles that lie in another organization, and that the caller may read in this one. */
export function* foreignGlobalRoles(call: LegacyCall): Generator<Role, void, undefined> {
  if (call.organization.namespace === DEFAULT_ORGANIZATION) return;
  const own = call.objects('iam/Role');
  for (const role of globalRoles(call).range({ index: BY_GLOBAL, prefix: [] }))
    if (own.may('roles:read', role) && own.find(role.metadata.name) === undefined) yield role as Role;
}

export function refTo({ metadata: { name }, spec }: KubeObject<RoleSpec>): RoleRef {
  return { kind: spec?.global === true ? 'GlobalRole' : 'Role', name };
}

/**
 * Whether two references in a namespace mean one role. In the first organization, global roles are also roles of the
 * organization.
 */
export function isSameRole(one: RoleRef, other: RoleRef | undefined, namespace: string): boolean {
  if (one.name !== other?.name || other.kind === 'BuiltIn') return false;
  return one.kind === other.kind || namespace === DEFAULT_ORGANIZATION;
}
