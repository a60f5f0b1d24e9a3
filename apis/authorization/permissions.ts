import type { Permission } from '../../pkg/authz/grants.js';
import type { WriteContext } from '../../registry/strategy.js';
import { resourceName } from '../iam/names.js';
import type { RoleSpec } from '../iam/role/schema.js';
import { BY_SUBJECT, type RoleBindingSpec } from '../iam/rolebinding/schema.js';
import { BY_USER, type TeamBindingSpec } from '../iam/teambinding/schema.js';
import { FOLDER_SETS, ROLE_SETS } from './roles.js';

export type Subject = RoleBindingSpec['subject'];
type Place = Pick<WriteContext, 'reader' | 'namespace'>;

/**
 * What these subjects get together in the organization of a write, on the state that it commits on: by their role, and by all that is bound to
 * them. It is the same for one that is disabled: that may end.
 */
export function givenTo(subjects: readonly Subject[], place: Place, domain: string): readonly Permission[] {
  return [
    ...roleSetsOf(subjects),
    ...bindingsOf(subjects, place, domain).flatMap((one) => givenBy(one, place, domain)),
  ];
}

/** The same without what is bound to a folder: who may use a folder is for those to say who administers it. */
export function givenBesideFolders(subjects: readonly Subject[], place: Place, domain: string): readonly Permission[] {
  const wide = bindingsOf(subjects, place, domain).filter(({ scope }) => scope?.folder === undefined);
  return [...roleSetsOf(subjects), ...wide.flatMap((one) => givenBy(one, place, domain))];
}

/** What one role binding gives to its subject. */
export function givenBy(binding: RoleBindingSpec, { reader, namespace }: Place, domain: string): readonly Permission[] {
  const { kind, name } = binding.roleRef;
  const role = kind === 'Role' ? reader.get(resourceName('roles', domain), namespace, name)?.spec : undefined;
  return permissionsOf(binding, role as RoleSpec | undefined);
}

/** A role in a folder is its actions on that folder, and so on what lies below. */
export function permissionsOf({ roleRef, scope }: RoleBindingSpec, role: RoleSpec | undefined): readonly Permission[] {
  const folder = scope?.folder;
  if (folder === undefined) {
    return roleRef.kind === 'Role' ? (role?.permissions ?? []) : (ROLE_SETS[roleRef.name] ?? []);
  }
  const actions =
    roleRef.kind === 'Role' ? (role?.permissions ?? []).map(({ action }) => action) : (FOLDER_SETS[roleRef.name] ?? []);
  return on(actions, `folders:uid:${folder}`);
}

export function on(actions: readonly string[], scope: string): readonly Permission[] {
  return actions.map((action) => ({ action, scope }));
}

export function account(name: string, role: string): readonly Subject[] {
  return [{ kind: 'ServiceAccount', name }, basicRole(role)];
}

export function basicRole(name: string): Subject {
  return { kind: 'BasicRole', name };
}

/** A user as a member of the organization with this role. */
export function member(uid: string, role: string, { reader, namespace }: Place, domain: string): readonly Subject[] {
  const teams = reader
    .range(resourceName('teambindings', domain), BY_USER, [uid], Number.POSITIVE_INFINITY)
    .filter(({ metadata }) => metadata.namespace === namespace)
    .map(({ spec }): Subject => ({ kind: 'Team', name: (spec as TeamBindingSpec).teamRef.name }));
  return [{ kind: 'User', name: uid }, basicRole(role), ...teams];
}

function roleSetsOf(subjects: readonly Subject[]): readonly Permission[] {
  return subjects.flatMap(({ kind, name }) => (kind === 'BasicRole' ? (ROLE_SETS[name] ?? []) : []));
}

function bindingsOf(
  subjects: readonly Subject[],
  { reader, namespace }: Place,
  domain: string,
): readonly RoleBindingSpec[] {
  const bindings = resourceName('rolebindings', domain);
  return subjects.flatMap(({ kind, name }) =>
    reader
      .range(bindings, BY_SUBJECT, [namespace, kind, name], Number.POSITIVE_INFINITY)
      .map(({ spec }) => spec as RoleBindingSpec),
  );
}
