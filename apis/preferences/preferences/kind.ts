import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import { column } from '../../../registry/kinds/fields.js';
import {
  type Actions,
  defineKind,
  type Kind,
  type KindEnvironment,
  type Reference,
} from '../../../registry/kinds/kind.js';
import { resourceName, UID_NAMES } from '../../../registry/kinds/names.js';
import { DASHBOARD_IDS } from '../../dashboard-numbers.js';
import { isUser, membershipReference, USER_PREFERENCES } from '../../iam/names.js';
import { type Owner, ownerOf, PreferencesSpec } from './schema.js';
import { preferencesStrategy } from './strategy.js';

export function preferences(environment: KindEnvironment): Kind<PreferencesSpec> {
  return defineKind<PreferencesSpec>(environment, {
    identity: {
      group: 'preferences',
      version: 'v1beta1',
      kind: 'Preferences',
      resource: 'preferences',
      singular: 'preferences',
      scope: 'Namespaced',
      description: 'Preferences say how the dashboards are shown to a user, a team or everybody.',
      spec: PreferencesSpec,
      names: {
        maxLength: UID_NAMES.maxLength + USER_PREFERENCES.length,
        pattern: /^(namespace|(user|team)-[a-zA-Z0-9_-]+)$/,
        patternMessage: 'must be "namespace", "user-" and the name of a user, or "team-" and the name of a team',
      },
    },
    storage: {
      maxBytes: 64 * 1024,
      chargedTo: ({ metadata }) => {
        const { kind, name } = ownerOf(metadata.name);
        return kind === 'user' ? `user:${name}` : undefined;
      },
      ownKeys: [DASHBOARD_IDS],
      references: (object) => referencesOf(object, environment.domain),
    },
    access: {
      permissions: {
        ...actions('orgs.preferences:read', 'orgs.preferences:write'),
        actionsOf: ({ metadata }) => ACTIONS[ownerOf(metadata.name).kind],
        scopes: ({ metadata }) => {
          const owner = ownerOf(metadata.name);
          return owner.kind === 'namespace' ? [`orgs:uid:${metadata.namespace}`] : [`${owner.kind}s:uid:${owner.name}`];
        },
        allowSelf: ({ metadata }, caller) => {
          const owner = ownerOf(metadata.name);
          return owner.kind === 'user' && isUser(caller, owner.name);
        },
      },
    },
    serving: {
      columns: [
        column<PreferencesSpec>('Theme', 'Theme', ({ theme }) => theme),
        column<PreferencesSpec>('Timezone', 'Time zone', ({ timezone }) => timezone),
        column<PreferencesSpec>('Home', 'Dashboard shown first', ({ homeDashboardUID }) => homeDashboardUID, 1),
      ],
    },
    strategy: preferencesStrategy(environment),
  });
}

function actions(read: string, write: string): Actions {
  return { get: [read], create: [write], update: [write], delete: [write] };
}

const ACTIONS: Readonly<Record<Owner['kind'], Actions>> = {
  user: actions('users:read', 'users:write'),
  team: actions('teams:read', 'teams:write'),
  namespace: actions('orgs.preferences:read', 'orgs.preferences:write'),
};

function referencesOf({ metadata }: KubeObject, domain: string): readonly Reference[] {
  const { kind, name } = ownerOf(metadata.name);
  const field = 'metadata.name';
  if (kind === 'user')
    return [
      { resource: resourceName('iam/users', domain), namespace: '', name, field },
      // Optional: server administrators have preferences also in organizations to which they do not belong.
      { ...membershipReference(domain, metadata.namespace ?? '', name, field), optional: true },
    ];
  if (kind === 'namespace') return [];
  return [{ resource: resourceName('iam/teams', domain), namespace: metadata.namespace ?? '', name, field }];
}
