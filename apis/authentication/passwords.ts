import { LRUCache } from 'lru-cache';
import type { PasswordAccount } from '../../pkg/identity/authn/password-check.js';
import type { PasswordQueue } from '../../pkg/identity/authn/password-queue.js';
import type { UserInfo } from '../../pkg/identity/authn/user.js';
import { isTerminating } from '../../pkg/kube/meta/types.js';
import { Client } from '../../registry/client/client.js';
import type { UserSpec } from '../iam/user/schema.js';
import type { CredentialSpec } from '../internal/credential/schema.js';
import type { Directory } from './directory.js';
import type { IdentityServices, SessionAuthor } from './services.js';

/**
 * Finds accounts by login or e-mail address for the password check. The revision depends on the credential alone: a
 * disabled or deleted user is not found, and a user who only changes the organization need not be checked again.
 */
export function passwordAccounts(
  services: IdentityServices,
  users: Directory,
): (login: string) => PasswordAccount | undefined {
  const remembered = new LRUCache<string, PasswordMatch>({ max: REMEMBERED });
  const sources = (['iam/users', 'iam/organizationbindings', 'iam/organizations', 'internal/credentials'] as const).map(
    services.resource,
  );
  return (login) => {
    const { reader } = services;
    const known = remembered.get(login);
    if (known?.versions.every((version, i) => version === reader.version(sources[i] ?? ''))) return known.account;
    const versions = sources.map((source) => reader.version(source));
    const user = users.userByLogin(login);
    const account = user && passwordAccountOf(services, user);
    // Strangers may send any login, so only those that exist are remembered.
    if (account !== undefined) remembered.set(login, { versions, account });
    else remembered.delete(login);
    return account;
  };
}

/** Logins that are remembered. Each request with a password asks for its login. */
const REMEMBERED = 10_000;

/** What was found for a login. It holds as long as none of these changes. */
interface PasswordMatch {
  readonly versions: readonly object[];
  readonly account: PasswordAccount;
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
