import type { KubeObject } from '../../../pkg/meta/types.js';
import { type Actions, defineKind, type Kind, type KindEnvironment, type Reference } from '../../../registry/kind.js';
import { column, field } from '../fields.js';
import { membershipReference, resourceName, UID_NAMES } from '../names.js';
import { BY_FOLDER, BY_SUBJECT, RoleBindingSpec } from './schema.js';
import { roleBindingStrategy } from './strategy.js';

const specOf = ({ spec }: { readonly spec?: unknown }) => spec as RoleBindingSpec;

export function roleBinding(environment: KindEnvironment): Kind<RoleBindingSpec> {
  const { domain } = environment;
  return defineKind<RoleBindingSpec>(environment, {
    group: 'iam',
    version: 'v1beta1',
    kind: 'RoleBinding',
    resource: 'rolebindings',
    singular: 'rolebinding',
    scope: 'Namespaced',
    description:
      'RoleBinding gives a role to a user, a team or a service account; with a folder it is a folder permission.',
    spec: RoleBindingSpec,
    names: { ...UID_NAMES, maxLength: 190, pattern: /^[a-zA-Z0-9_.-]+$/, patternMessage: NAME_MESSAGE },
    columns: [
      column<RoleBindingSpec>('Subject', 'Who', ({ subject }) => `${subject.kind}/${subject.name}`),
      column<RoleBindingSpec>('Role', 'What', ({ roleRef }) => `${roleRef.kind}/${roleRef.name}`),
      column<RoleBindingSpec>('Folder', 'Where', ({ scope }) => scope?.folder),
    ],
    selectableFields: {
      'spec.subject.kind': field<RoleBindingSpec>(({ subject }) => subject.kind),
      'spec.subject.name': field<RoleBindingSpec>(({ subject }) => subject.name),
      'spec.roleRef.name': field<RoleBindingSpec>(({ roleRef }) => roleRef.name),
      'spec.scope.folder': field<RoleBindingSpec>(({ scope }) => scope?.folder),
    },
    indexers: {
      [BY_SUBJECT]: (object) => {
        const { kind, name } = specOf(object).subject;
        return [[object.metadata.namespace ?? '', kind, name]];
      },
      [BY_FOLDER]: (object) => {
        const folder = specOf(object).scope?.folder;
        return folder === undefined ? [] : [[object.metadata.namespace ?? '', folder]];
      },
    },
    containment: {
      resource: resourceName('folders', domain),
      container: (object) => specOf(object).scope?.folder,
      field: 'spec.scope.folder',
    },
    references: (object) => referencesOf(object, domain),
    permissions: {
      get: ['roles:read'],
      create: ['roles:write'],
      update: ['roles:write'],
      delete: ['roles:write'],
      actionsOf: (object) => (specOf(object).scope?.folder === undefined ? undefined : FOLDER_ACTIONS),
      scopes: scopesOf,
    },
    strategy: roleBindingStrategy(environment),
  });
}

const NAME_MESSAGE = 'may hold only letters, digits, ".", "-" and "_"';

/** The administrators of a folder decide who may use it. */
const FOLDER_ACTIONS: Actions = {
  get: ['folders.permissions:read'],
  create: ['folders.permissions:write'],
  update: ['folders.permissions:write'],
  delete: ['folders.permissions:write'],
};

function scopesOf(object: KubeObject): readonly string[] {
  const { roleRef, scope } = specOf(object);
  return [scope?.folder === undefined ? `roles:uid:${roleRef.name}` : `folders:uid:${scope.folder}`];
}

function referencesOf(object: KubeObject, domain: string): readonly Reference[] {
  const { subject, roleRef } = specOf(object);
  const namespace = object.metadata.namespace ?? '';
  const { name } = subject;
  const field = 'spec.subject.name';
  const subjects = {
    User: [
      // The membership comes before the user: errors must not tell whether another organization has a user of this name.
      membershipReference(domain, namespace, name, field),
      { resource: resourceName('users', domain), namespace: '', name, field },
    ],
    Team: [{ resource: resourceName('teams', domain), namespace, name, field }],
    ServiceAccount: [{ resource: resourceName('serviceaccounts', domain), namespace, name, field }],
    BasicRole: [],
  };
  const role = { resource: resourceName('roles', domain), namespace, name: roleRef.name, field: 'spec.roleRef.name' };
  return [...subjects[subject.kind], ...(roleRef.kind === 'Role' ? [role] : [])];
}
