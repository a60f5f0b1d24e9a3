import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import { column, field } from '../../../registry/kinds/fields.js';
import { type Actions, defineKind, type Kind, type Reference } from '../../../registry/kinds/kind.js';
import { type ResourceName, resourceName, UID_NAMES } from '../../../registry/kinds/names.js';
import { escalationReports } from '../../authorization/escalation.js';
import type { AccessEnvironment } from '../../environment.js';
import { membershipReference } from '../names.js';
import {
  BY_DASHBOARD,
  BY_FOLDER,
  BY_GLOBAL_ROLE,
  BY_ORGANIZATION,
  BY_ROLE,
  BY_SERVICE_ACCOUNT,
  BY_SUBJECT,
  RoleBindingSpec,
  roleNamespace,
} from './schema.js';
import { roleBindingStrategy } from './strategy.js';

const specOf = ({ spec }: { readonly spec?: unknown }) => spec as RoleBindingSpec;

const INDEXERS: Readonly<Record<string, (object: KubeObject) => readonly (readonly string[])[]>> = {
  [BY_SUBJECT]: (object) => {
    const { kind, name } = specOf(object).subject;
    return [[object.metadata.namespace ?? '', kind, name]];
  },
  [BY_ROLE]: (object) => {
    const { kind, name } = specOf(object).roleRef;
    return tupleOf(object, kind === 'BuiltIn' ? undefined : name);
  },
  [BY_GLOBAL_ROLE]: (object) => {
    const { kind, name } = specOf(object).roleRef;
    return kind === 'GlobalRole' ? [[name]] : [];
  },
  [BY_FOLDER]: (object) => tupleOf(object, specOf(object).scope?.folder),
  [BY_DASHBOARD]: (object) => tupleOf(object, specOf(object).scope?.dashboard),
  [BY_SERVICE_ACCOUNT]: (object) => tupleOf(object, specOf(object).scope?.serviceAccount),
  [BY_ORGANIZATION]: (object) =>
    placeOf(specOf(object).scope) === undefined ? [[object.metadata.namespace ?? '']] : [],
};

export function roleBinding(environment: AccessEnvironment): Kind<RoleBindingSpec> {
  const { domain } = environment;
  return defineKind<RoleBindingSpec>(environment, {
    identity: {
      group: 'iam',
      version: 'v1beta1',
      kind: 'RoleBinding',
      resource: 'rolebindings',
      singular: 'rolebinding',
      scope: 'Namespaced',
      description:
        'RoleBinding gives a role to a user, a team or a service account; with a folder, a dashboard or a service account as its scope it is a permission on that.',
      spec: RoleBindingSpec,
      names: { ...UID_NAMES, maxLength: 190, pattern: /^[a-zA-Z0-9_.-]+$/, patternMessage: NAME_MESSAGE },
    },
    storage: {
      indexers: INDEXERS,
      containment: {
        resource: resourceName('folder/folders', domain),
        container: (object) => specOf(object).scope?.folder,
        field: 'spec.scope.folder',
      },
      references: (object) => referencesOf(object, domain),
    },
    access: {
      permissions: {
        get: ['roles:read'],
        create: ['roles:write'],
        update: ['roles:write'],
        delete: ['roles:write'],
        actionsOf: (object) => scopedActions(specOf(object)),
        scopes: scopesOf,
        // The administrators of the folder of a dashboard decide about the dashboard, too.
        about: {
          resource: resourceName('dashboard/dashboards', domain),
          name: (object) => specOf(object).scope?.dashboard,
        },
      },
      reports: escalationReports,
    },
    serving: {
      columns: [
        column<RoleBindingSpec>('Subject', 'Who', ({ subject }) => `${subject.kind}/${subject.name}`),
        column<RoleBindingSpec>('Role', 'What', ({ roleRef }) => `${roleRef.kind}/${roleRef.name}`),
        column<RoleBindingSpec>('Scope', 'Where; everywhere in the organization if it is empty', ({ scope }) =>
          placeOf(scope),
        ),
      ],
      selectableFields: {
        'spec.subject.kind': field<RoleBindingSpec>(({ subject }) => subject.kind),
        'spec.subject.name': field<RoleBindingSpec>(({ subject }) => subject.name),
        'spec.roleRef.name': field<RoleBindingSpec>(({ roleRef }) => roleRef.name),
        'spec.scope.folder': field<RoleBindingSpec>(({ scope }) => scope?.folder),
        'spec.scope.dashboard': field<RoleBindingSpec>(({ scope }) => scope?.dashboard),
        'spec.scope.serviceAccount': field<RoleBindingSpec>(({ scope }) => scope?.serviceAccount),
      },
    },
    strategy: roleBindingStrategy(environment),
  });
}

function placeOf({ folder, dashboard, serviceAccount }: RoleBindingSpec['scope'] = {}): string | undefined {
  if (folder !== undefined) return `folder/${folder}`;
  if (dashboard !== undefined) return `dashboard/${dashboard}`;
  return serviceAccount && `serviceaccount/${serviceAccount}`;
}

const NAME_MESSAGE = 'may hold only letters, digits, ".", "-" and "_"';

function tupleOf({ metadata }: KubeObject, place: string | undefined): readonly (readonly string[])[] {
  return place === undefined ? [] : [[metadata.namespace ?? '', place]];
}

/** The administrators of a folder, a dashboard or a service account decide who may use it. */
function scopedActions({ scope }: RoleBindingSpec): Actions | undefined {
  if (scope?.folder !== undefined) return FOLDER_ACTIONS;
  if (scope?.serviceAccount !== undefined) return ACCOUNT_ACTIONS;
  return scope?.dashboard === undefined ? undefined : DASHBOARD_ACTIONS;
}

const FOLDER_ACTIONS = permissionActions('folders');
const DASHBOARD_ACTIONS = permissionActions('dashboards');
const ACCOUNT_ACTIONS = permissionActions('serviceaccounts');

function permissionActions(place: string): Actions {
  const [read, write] = [[`${place}.permissions:read`], [`${place}.permissions:write`]];
  return { get: read, create: write, update: write, delete: write };
}

function scopesOf(object: KubeObject): readonly string[] {
  const { roleRef, scope } = specOf(object);
  if (scope?.folder !== undefined) return [`folders:uid:${scope.folder}`];
  if (scope?.serviceAccount !== undefined) return [`serviceaccounts:uid:${scope.serviceAccount}`];
  return [scope?.dashboard === undefined ? `roles:uid:${roleRef.name}` : `dashboards:uid:${scope.dashboard}`];
}

function referencesOf(object: KubeObject, domain: string): readonly Reference[] {
  const { subject, roleRef, scope } = specOf(object);
  const namespace = object.metadata.namespace ?? '';
  const { name } = subject;
  const field = 'spec.subject.name';
  const subjects = {
    User: [
      // The membership comes before the user: errors must not tell whether another organization has a user of this
      // name.
      membershipReference(domain, namespace, name, field),
      { resource: resourceName('iam/users', domain), namespace: '', name, field },
    ],
    Team: [{ resource: resourceName('iam/teams', domain), namespace, name, field }],
    ServiceAccount: [{ resource: resourceName('iam/serviceaccounts', domain), namespace, name, field }],
    BasicRole: [],
  };
  const role = {
    resource: resourceName('iam/roles', domain),
    namespace: roleNamespace(roleRef, namespace),
    name: roleRef.name,
    field: 'spec.roleRef.name',
  };
  const placed = (what: ResourceName, name: string | undefined, field: string) =>
    name === undefined ? [] : [{ resource: resourceName(what, domain), namespace, name, field }];
  return [
    ...subjects[subject.kind],
    ...(roleRef.kind === 'BuiltIn' ? [] : [role]),
    ...placed('dashboard/dashboards', scope?.dashboard, 'spec.scope.dashboard'),
    ...placed('iam/serviceaccounts', scope?.serviceAccount, 'spec.scope.serviceAccount'),
  ];
}
