import type { UserInfo } from '../../pkg/authn/user.js';
import { groupName, type Reference } from '../../registry/kinds/kind.js';

/** The organization that the server creates at its first start. Its internal id is 1. */
export const DEFAULT_ORGANIZATION = 'default';

/** The rule for uids of the legacy API. Generated uids are ULIDs in lower case. */
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
  ssosettings: 'iam',
  preferences: 'preferences',
  folders: 'folder',
  dashboards: 'dashboard',
  libraryelements: 'dashboard',
  stars: 'collections',
  alertrules: 'rules.alerting',
  credentials: 'internal',
  tokens: 'internal',
  sessions: 'internal',
  lastseens: 'internal',
  signingkeys: 'internal',
  datakeys: 'internal',
  sealedsecrets: 'internal',
  externalidentities: 'internal',
  usedsignons: 'internal',
} as const;

export type ResourceName = keyof typeof GROUPS;

/** The qualified name of a resource, such as `users.iam.svc.app`: stores and caches use it. */
export function resourceName(plural: ResourceName, domain: string): string {
  return `${plural}.${groupName(GROUPS[plural], domain)}`;
}

/** The prefix of the user names of service accounts: `system:serviceaccount:<namespace>:<name>`. */
export const SERVICE_ACCOUNT_PREFIX = 'system:serviceaccount:';

/** Names with this prefix are those of the server's own callers and of service accounts, so no login may have it. */
export const SYSTEM_PREFIX = 'system:';

/** The name of the server itself, as the author of writes that no caller asked for. */
export const SERVER_NAME = `${SYSTEM_PREFIX}apiserver`;

/** Whether this is the name of a caller who is no stored user. */
export function isReserved(name: string): boolean {
  return name.startsWith(SYSTEM_PREFIX);
}

/** Whether the caller is the user with this uid. A service account with the same uid is another caller. */
export function isUser(user: UserInfo, uid: string): boolean {
  return uid !== '' && user.uid === uid && !user.name.startsWith(SERVICE_ACCOUNT_PREFIX);
}

/** A reference to the membership of a user: the object needs the membership, and is deleted with it. */
export function membershipReference(domain: string, namespace: string, user: string, field: string): Reference {
  return { resource: resourceName('organizationbindings', domain), namespace, name: user, field };
}
