import type { UserInfo } from '../../pkg/identity/authn/user.js';
import type { Reference } from '../../registry/kinds/kind.js';
import { resourceName } from '../../registry/kinds/names.js';

/** The organization that the server creates at its first start. Its internal id is 1. */
export const DEFAULT_ORGANIZATION = 'default';

/** The prefix of the user names of service accounts: `system:serviceaccount:<namespace>:<name>`. */
export const SERVICE_ACCOUNT_PREFIX = 'system:serviceaccount:';

/** Names with this prefix are those of the server's own callers and of service accounts, so no login may have it. */
export const SYSTEM_PREFIX = 'system:';

/** The Preferences object of a user or a team is named by the prefix and their uid. */
export const USER_PREFERENCES = 'user-';
export const TEAM_PREFERENCES = 'team-';

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
  return { resource: resourceName('iam/organizationbindings', domain), namespace, name: user, field };
}
