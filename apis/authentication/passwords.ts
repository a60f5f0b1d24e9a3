import { LRUCache } from 'lru-cache';
import type { PasswordAccount } from '../../pkg/identity/authn/password-check.js';
import type { PasswordQueue } from '../../pkg/identity/authn/password-queue.js';
import type { UserInfo } from '../../pkg/identity/authn/user.js';
import { isTerminating } from '../../pkg/kube/meta/types.js';
import { Client } from '../../registry/client/client.js';
import type { UserSpec } from '../iam/user/schema.js';
import type { CredentialSpec } from '../internal/credential/schema.js';
import { BY_USER, type ExternalIdentitySpec } from '../internal/externalidentity/schema.js';
import type { Directory } from './directory.js';
import type { IdentityServices, SessionAuthor } from './services.js';

/**
 * Finds accounts by login or e-mail address for the password check. The revision depends on the credential alone: a
 * disabled or deleted user is not found, and a user who only changes the organization need not be checked again. While
 * `isLdapOn`, the people of the directory have its password only.
 */
export function passwordAccounts(
  services: IdentityServices,
  users: Directory,
  isLdapOn: () => boolean = () => false,
): (login: string) => PasswordAccount | undefined {
  const remembered = new LRUCache<string, PasswordMatch>({ max: REMEMBERED });
  const chosen = ({ account, ldap }: PasswordMatch) => (ldap !== undefined && isLdapOn() ? ldap : account);
  const sources = (
    [
      'iam/users',
      'iam/organizationbindings',
      'iam/organizations',
      'internal/credentials',
      'internal/externalidentities',
    ] as const
  ).map(services.resource);
  return (login) => {
    const { reader } = services;
    const known = remembered.get(login);
    if (known?.versions.every((version, i) => version === reader.version(sources[i] ?? ''))) return chosen(known);
    const versions = sources.map((source) => reader.version(source));
    const user = users.userByLogin(login);
    const account = user && passwordAccountOf(services, user);
    const ldap = user && ldapAccountOf(services, users, user.uid);
    const match = { versions, account, ldap };
    // Strangers may send any login, so only those that exist are remembered.
    if ((account ?? ldap) !== undefined) remembered.set(login, match);
    else remembered.delete(login);
    return chosen(match);
  };
}

/** Logins that are remembered. Each request with a password asks for its login. */
const REMEMBERED = 10_000;

/** What was found for a login. It holds as long as none of these changes. */
interface PasswordMatch {
  readonly versions: readonly object[];
  readonly account: PasswordAccount | undefined;
  readonly ldap: PasswordAccount | undefined;
}

/** Milliseconds for which a password of a directory counts as right: the directory does not tell of changes. */
const LDAP_LIFETIME = 60_000;

/** The account of a user who signs in by the directory; undefined for others, and for those who are disabled. */
export function ldapAccountOf(services: IdentityServices, users: Directory, uid: string): PasswordAccount | undefined {
  const { reader, resource } = services;
  const identities = reader.range<ExternalIdentitySpec>(resource('internal/externalidentities'), BY_USER, [uid]);
  const identity = identities.find(({ spec }) => spec?.provider === 'ldap');
  const user = identity && users.user(uid);
  if (user === undefined) return undefined;
  return {
    user,
    hash: '',
    revision: `${uid} ldap ${identity?.metadata.uid}`,
    authModule: 'ldap',
    lifetime: LDAP_LIFETIME,
    current: () => ldapAccountOf(services, users, uid),
  };
}

/** The account of a user; undefined if the user has no password. */
export function passwordAccountOf({ reader, resource }: IdentityServices, user: UserInfo): PasswordAccount | undefined {
  const credential = reader.get<CredentialSpec>(resource('internal/credentials'), '', user.uid);
  if (credential === undefined || isTerminating(credential)) return undefined;
  const { uid, resourceVersion } = credential.metadata;
  const stored = reader.get<UserSpec>(resource('iam/users'), '', user.uid);
  return {
    user,
    hash: credential.spec?.hash ?? '',
    revision: `${user.uid} ${uid} ${resourceVersion}`,
    ...(stored?.spec?.mustChangePassword === true && { mustChange: true }),
  };
}

/** Sets the password of a user, who may have had none. */
export async function setPassword(
  services: IdentityServices,
  hashing: Pick<PasswordQueue, 'hash'>,
  uid: string,
  password: string,
  by: SessionAuthor,
): Promise<void> {
  const hash = await hashing.hash(password, { of: by.user.uid, first: true });
  const kind = services.kind('internal/credentials');
  const client = new Client(services.registry, by);
  await client.transact((transaction) => transaction.objects<CredentialSpec>(kind).put(uid, () => ({ hash })));
}
