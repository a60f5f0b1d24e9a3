import { z } from 'zod';
import { defineKind, type Kind, type KindEnvironment } from '../../../registry/kind.js';
import { column, field, localReference, OrganizationRole } from '../fields.js';
import { isUser, resourceName, UID_NAMES } from '../names.js';
import { organizationBindingStrategy } from './strategy.js';

export const OrganizationBindingSpec = z
  .strictObject({
    userRef: localReference('OrganizationBindingUserRef', 'user').describe('The member.'),
    role: OrganizationRole.describe('What the member may do in the organization.'),
  })
  .meta({ id: 'OrganizationBindingSpec', description: 'Who belongs to the organization, and as what.' });
export type OrganizationBindingSpec = z.infer<typeof OrganizationBindingSpec>;

/** Memberships by user (`[user]`), across organizations. */
export const BY_USER = 'byUser';
/** Memberships by namespace and role (`[namespace, role]`). */
export const BY_ROLE = 'byRole';

const specOf = ({ spec }: { readonly spec?: unknown }) => spec as OrganizationBindingSpec;

export function organizationBinding(environment: KindEnvironment): Kind<OrganizationBindingSpec> {
  const users = resourceName('users', environment.domain);
  return defineKind<OrganizationBindingSpec>(environment, {
    group: 'iam',
    version: 'v1beta1',
    kind: 'OrganizationBinding',
    resource: 'organizationbindings',
    singular: 'organizationbinding',
    scope: 'Namespaced',
    description: 'OrganizationBinding makes a user a member of the organization; it has the name of the user.',
    spec: OrganizationBindingSpec,
    names: UID_NAMES,
    columns: [column<OrganizationBindingSpec>('Role', 'Role of the member', ({ role }) => role)],
    selectableFields: {
      'spec.userRef.name': field<OrganizationBindingSpec>(({ userRef }) => userRef.name),
      'spec.role': field<OrganizationBindingSpec>(({ role }) => role),
    },
    indexers: {
      [BY_USER]: (object) => [[specOf(object).userRef.name]],
      [BY_ROLE]: (object) => [[object.metadata.namespace ?? '', specOf(object).role]],
    },
    references: (object) => [
      { resource: users, namespace: '', name: specOf(object).userRef.name, field: 'spec.userRef.name' },
    ],
    permissions: {
      get: ['org.users:read'],
      create: ['org.users:add'],
      update: ['org.users:write'],
      delete: ['org.users:remove'],
      scopes: (object) => [`users:uid:${specOf(object).userRef.name}`],
      allowSelf: (object, caller, verb) =>
        verb === 'get' && object.spec !== undefined && isUser(caller, specOf(object).userRef.name),
    },
    strategy: organizationBindingStrategy(environment),
  });
}
