import { accessControlOf } from '../../../../registry/legacy/access-control.js';
import type { LegacyCall } from '../../../../registry/legacy/call.js';
import { avatarUrl, compactAge, neverSeen, time } from '../../legacy/formats.js';
import { activeMembership, membershipsOf, serviceAccountLogin, type User, userNotFound } from '../../legacy/people.js';
import { SERVICE_ACCOUNT_PREFIX, USER_PREFERENCES } from '../../names.js';
import type { ServiceAccountSpec } from '../../serviceaccount/schema.js';
import { externalFields } from './external.js';

/** What answers have of a user, and callers send back. */
export const USER_ANSWERED: readonly string[] = [
  'id',
  'uid',
  'email',
  'name',
  'login',
  'theme',
  'orgId',
  'isGrafanaAdmin',
  'isAdmin',
  'isDisabled',
  'isExternal',
  'isExternallySynced',
  'isGrafanaAdminExternallySynced',
  'authLabels',
  'updatedAt',
  'createdAt',
  'created',
  'lastSeenAt',
  'lastSeenAtAge',
  'avatarUrl',
  'isProvisioned',
  'accessControl',
];

export interface UserItem {
  readonly id: number;
  readonly uid: string;
  readonly name: string;
  readonly login: string;
  readonly email: string;
  readonly avatarUrl: string;
  readonly isAdmin: boolean;
  readonly isDisabled: boolean;
  readonly lastSeenAt: string;
  readonly lastSeenAtAge: string;
  readonly authLabels: readonly string[];
  readonly isProvisioned: boolean;
  readonly created: string;
}

/** A user in a list. `seen` is the time of their last call, if any. */
export function userItem(call: LegacyCall, user: User, seen: number | undefined): UserItem {
  return userRow(call, user, seen, call.now());
}

/** The same at a given time, for long lists. */
export function userRow(call: LegacyCall, user: User, seen: number | undefined, now: number): UserItem {
  const { metadata, spec } = user;
  const created = Date.parse(metadata.creationTimestamp ?? '');
  const at = seen ?? neverSeen(created);
  return {
    id: idOf(call, user),
    uid: metadata.name,
    name: spec.name,
    login: spec.login,
    email: spec.email,
    avatarUrl: avatarUrl(spec.email),
    isAdmin: spec.grafanaAdmin,
    isDisabled: spec.disabled,
    lastSeenAt: time(at),
    lastSeenAtAge: compactAge(at, now),
    authLabels: externalFields(call, metadata.name).authLabels,
    isProvisioned: spec.provisioned ?? false,
    created: time(created),
  };
}

function idOf(call: LegacyCall, user: User): number {
  return call.objects('iam/User').idOf(user);
}

const ACTIONS = [
  'users:read',
  'users:write',
  'users:delete',
  'users:disable',
  'users:enable',
  'users:logout',
  'users.password:write',
  'users.permissions:write',
  'users.authtoken:read',
  'users.authtoken:write',
];

export function singleUser(call: LegacyCall, user: User): Readonly<Record<string, unknown>> {
  const { metadata, spec } = user;
  const { updatedTimestamp } = call.kind('iam/User').ownedKeys;
  const created = Date.parse(metadata.creationTimestamp ?? '');
  const updated = Date.parse(metadata.annotations?.[updatedTimestamp] ?? '');
  const active = activeMembership(call, user);
  return {
    id: idOf(call, user),
    uid: metadata.name,
    email: spec.email,
    name: spec.name,
    login: spec.login,
    theme: themeOf(call, metadata.name, active?.namespace),
    orgId: active?.id ?? 0,
    isGrafanaAdmin: spec.grafanaAdmin,
    isDisabled: spec.disabled,
    ...externalFields(call, metadata.name),
    updatedAt: time(Number.isNaN(updated) ? created : updated),
    createdAt: time(created),
    avatarUrl: avatarUrl(spec.email),
    isProvisioned: spec.provisioned ?? false,
    ...accessControlOf(call, 'iam/User', user, ACTIONS),
  };
}

/** A service account that asks who it is. Clients read its organization and its login. */
export function accountAsUser(call: LegacyCall): Readonly<Record<string, unknown>> {
  const accounts = call.objects<ServiceAccountSpec>('iam/ServiceAccount');
  const account = accounts.find(call.user.name.slice(`${SERVICE_ACCOUNT_PREFIX}${accounts.namespace}:`.length));
  if (account?.spec === undefined) throw userNotFound();
  const { metadata, spec } = account;
  const id = accounts.idOf(account);
  const login = serviceAccountLogin(id, spec.title);
  const { updatedTimestamp } = accounts.kind.ownedKeys;
  return {
    id,
    uid: metadata.name,
    email: '',
    name: spec.title,
    login,
    theme: '',
    orgId: call.organization.id,
    isGrafanaAdmin: false,
    isDisabled: spec.disabled,
    isExternal: false,
    isExternallySynced: false,
    isGrafanaAdminExternallySynced: false,
    authLabels: [],
    updatedAt: metadata.annotations?.[updatedTimestamp] ?? metadata.creationTimestamp,
    createdAt: metadata.creationTimestamp,
    avatarUrl: avatarUrl(login),
    isProvisioned: false,
  };
}

/** What a profile shows of the preferences. */
export interface ThemePreferences {
  readonly theme?: string;
}

function themeOf(call: LegacyCall, user: string, namespace: string | undefined): string {
  if (namespace === undefined) return '';
  const preferences = call
    .objects<ThemePreferences>('preferences/Preferences', namespace)
    .find(`${USER_PREFERENCES}${user}`);
  return preferences?.spec?.theme ?? '';
}

export function userOrganizations(call: LegacyCall, user: string): readonly Readonly<Record<string, unknown>>[] {
  return membershipsOf(call, user).map((membership) => ({
    orgId: membership.id,
    name: membership.title,
    role: membership.role,
  }));
}
