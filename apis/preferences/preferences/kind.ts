import { z } from 'zod';
import type { KubeObject } from '../../../pkg/meta/types.js';
import { type Actions, defineKind, type Kind, type KindEnvironment, type Reference } from '../../../registry/kind.js';
import { column, line } from '../../iam/fields.js';
import { isUser, membership, resourceName, TEAM_PREFERENCES, UID_NAMES, USER_PREFERENCES } from '../../iam/names.js';
import { preferencesStrategy } from './strategy.js';

const Navbar = z
  .strictObject({ bookmarkUrls: z.array(line(2000)).max(500).default([]) })
  .meta({ id: 'PreferencesNavbar' });
const QueryHistory = z
  .strictObject({ homeTab: z.enum(['', 'query', 'starred']) })
  .meta({ id: 'PreferencesQueryHistory' });
const CookiePreferences = z
  .strictObject({
    analytics: z.looseObject({}).optional(),
    performance: z.looseObject({}).optional(),
    functional: z.looseObject({}).optional(),
  })
  .meta({ id: 'PreferencesCookies' });

export const PreferencesSpec = z
  .strictObject({
    theme: line(40).optional().describe('light, dark, system, or another theme; empty for the default.'),
    homeDashboardUID: line(40).optional().describe('Dashboard shown first.'),
    timezone: line(100).optional().describe('utc, browser, or a name such as Europe/Berlin; empty for the default.'),
    weekStart: z.enum(['', 'browser', 'monday', 'saturday', 'sunday']).optional().describe('First day of the week.'),
    language: line(40).optional().describe('Language, such as en-US.'),
    regionalFormat: line(40).optional().describe('How numbers and dates are written, such as de-DE.'),
    dateStyle: line(40).optional().describe('How dates are written.'),
    navbar: Navbar.optional().describe('The navigation.'),
    queryHistory: QueryHistory.optional().describe('Which queries are shown first.'),
    cookiePreferences: CookiePreferences.optional().describe('Which cookies may be set.'),
  })
  .meta({ id: 'PreferencesSpec', description: 'How the dashboards are shown.' });
export type PreferencesSpec = z.infer<typeof PreferencesSpec>;

/** Whose preferences a name stands for. */
export type Owner =
  | { readonly kind: 'user' | 'team'; readonly name: string }
  | { readonly kind: 'namespace'; readonly name: '' };

export function ownerOf(name: string): Owner {
  if (name.startsWith(USER_PREFERENCES)) return { kind: 'user', name: name.slice(USER_PREFERENCES.length) };
  if (name.startsWith(TEAM_PREFERENCES)) return { kind: 'team', name: name.slice(TEAM_PREFERENCES.length) };
  return { kind: 'namespace', name: '' };
}

export function preferences(environment: KindEnvironment): Kind<PreferencesSpec> {
  return defineKind<PreferencesSpec>(environment, {
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
    columns: [
      column<PreferencesSpec>('Theme', 'Theme', ({ theme }) => theme),
      column<PreferencesSpec>('Timezone', 'Time zone', ({ timezone }) => timezone),
      column<PreferencesSpec>('Home', 'Dashboard shown first', ({ homeDashboardUID }) => homeDashboardUID, 1),
    ],
    references: (object) => referencesOf(object, environment.domain),
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
    strategy: preferencesStrategy,
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
      { resource: resourceName('users', domain), namespace: '', name, field },
      // Server administrators have preferences where they belong to nothing.
      { ...membership(domain, metadata.namespace ?? '', name, field), optional: true },
    ];
  if (kind === 'namespace') return [];
  return [{ resource: resourceName('teams', domain), namespace: metadata.namespace ?? '', name, field }];
}
