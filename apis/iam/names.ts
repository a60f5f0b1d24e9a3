import type { UserInfo } from '../../pkg/authn/user.js';
import { groupName, type Reference } from '../../registry/kind.js';

/** The organization that is there from the first start, with the internal id 1. */
export const DEFAULT_ORGANIZATION = 'default';

/** What a uid of the legacy interface may be; a generated one is a ULID in lower case. */
export const UID_NAMES = {
  maxLength: 40,
  pattern: /^[a-zA-Z0-9_-]+$/,
  patternMessage: 'may hold only letters, digits, "-" and "_"',
} as const;

const GROUPS = {
  users: 'iam',
  organizations: 'iam',
  organizationbindings: 'iam',
  teams: 'iam',
  teambindings: 'iam',
  serviceaccounts: 'iam',
  roles: 'iam',
  rolebindings: 'iam',
  preferences: 'preferences',
  folders: 'folder',
  credentials: 'internal',
  tokens: 'internal',
  sessions: 'internal',
  lastseens: 'internal',
  signingkeys: 'internal',
} as const;

export type ResourceName = keyof typeof GROUPS;

/** `users.iam.svc.app`: how stores, views and caches name a resource. */
export function resourceName(plural: ResourceName, domain: string): string {
  return `${plural}.${groupName(GROUPS[plural], domain)}`;
}

/** How the names of service accounts as callers begin: then the namespace, `:`, and `metadata.name`. */
export const SERVICE_ACCOUNT_PREFIX = 'system:serviceaccount:';

/** Whether the caller is the person with this uid; a service account may have the same one. */
export function isUser(user: UserInfo, uid: string): boolean {
  return uid !== '' && user.uid === uid && !user.name.startsWith(SERVICE_ACCOUNT_PREFIX);
}

/** One binding a pair, wherever it is made. */
export function teamBindingName(team: string, user: string): string {
  return `${team}.${user}`;
}

export const USER_PREFERENCES = 'user-';
export const TEAM_PREFERENCES = 'team-';
export const NAMESPACE_PREFERENCES = 'namespace';

/** What somebody has in an organization is for members, and goes with the membership. */
export function membership(domain: string, namespace: string, user: string, field: string): Reference {
  return { resource: resourceName('organizationbindings', domain), namespace, name: user, field };
}
