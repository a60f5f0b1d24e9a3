import { column, field } from '../../../registry/kinds/fields.js';
import { defineKind, type Kind } from '../../../registry/kinds/kind.js';
import { resourceName, UID_NAMES } from '../../../registry/kinds/names.js';
import { escalationReports } from '../../authorization/escalation.js';
import type { AccessEnvironment } from '../../environment.js';
import { isUser } from '../names.js';
import { BY_EXTERNAL_UID, BY_ROLE, BY_USER, OrganizationBindingSpec } from './schema.js';
import { organizationBindingStrategy } from './strategy.js';

const specOf = ({ spec }: { readonly spec?: unknown }) => spec as OrganizationBindingSpec;

export function organizationBinding(environment: AccessEnvironment): Kind<OrganizationBindingSpec> {
  const users = resourceName('iam/users', environment.domain);
  return defineKind<OrganizationBindingSpec>(environment, {
    identity: {
      group: 'iam',
      version: 'v1beta1',
      kind: 'OrganizationBinding',
      resource: 'organizationbindings',
      singular: 'organizationbinding',
      scope: 'Namespaced',
      description: 'OrganizationBinding makes a user a member of the organization; it has the name of the user.',
      spec: OrganizationBindingSpec,
      names: UID_NAMES,
    },
    storage: {
      indexers: {
        [BY_USER]: (object) => [[specOf(object).userRef.name]],
        // The rights of a role are those of the members who are not suspended.
        [BY_ROLE]: (object) =>
          specOf(object).suspended === true ? [] : [[object.metadata.namespace ?? '', specOf(object).role]],
        [BY_EXTERNAL_UID]: (object) => {
          const { externalUID } = specOf(object);
          return externalUID === undefined ? [] : [[object.metadata.namespace ?? '', externalUID]];
        },
      },
      references: (object) => [
        { resource: users, namespace: '', name: specOf(object).userRef.name, field: 'spec.userRef.name' },
      ],
    },
    access: {
      permissions: {
        get: ['org.users:read'],
        create: ['org.users:add'],
        update: ['org.users:write'],
        delete: ['org.users:remove'],
        scopes: (object) => [`users:uid:${specOf(object).userRef.name}`],
        allowSelf: (object, caller, verb) =>
          verb === 'get' && object.spec !== undefined && isUser(caller, specOf(object).userRef.name),
      },
      reports: escalationReports,
    },
    serving: {
      columns: [column<OrganizationBindingSpec>('Role', 'Role of the member', ({ role }) => role)],
      selectableFields: {
        'spec.userRef.name': field<OrganizationBindingSpec>(({ userRef }) => userRef.name),
        'spec.role': field<OrganizationBindingSpec>(({ role }) => role),
      },
    },
    strategy: organizationBindingStrategy(environment),
  });
}
