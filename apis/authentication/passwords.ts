import { hashPassword } from '../../pkg/authn/password.js';
import type { PasswordAccount } from '../../pkg/authn/password-check.js';
import type { PasswordQueue } from '../../pkg/authn/password-queue.js';
import type { UserInfo } from '../../pkg/authn/user.js';
import type { KubeObject } from '../../pkg/meta/types.js';
import type { Store, WriteOptions } from '../../registry/store.js';
import type { CredentialSpec } from '../internal/credential/schema.js';
import type { Directory } from './directory.js';
import type { IdentityServices } from './services.js';

/**
 * Finds accounts by login or e-mail address for the password check. Only the credential makes the revision: a disabled or deleted user is
 * not found at all, and a user who merely moves to another organization need not be checked again.
 */
export function passwordAccounts(
  services: IdentityServices,
  users: Directory,
): (login: string) => PasswordAccount | undefined {
  const credentials = services.resource('credentials');
  return (login) => {
    const user = users.userByLogin(login);
    const credential = user && services.lookup.get(credentials, '', user.uid);
    if (user === undefined || credential === undefined) return undefined;
    const { uid, resourceVersion } = credential.metadata;
    return { user, hash: (credential.spec as CredentialSpec).hash, revision: `${user.uid} ${uid} ${resourceVersion}` };
  };
}

/** The Credential that keeps this hash for a user. */
function credentialOf({ kind }: Store, uid: string, hash: string): KubeObject {
  return { apiVersion: kind.apiVersion, kind: kind.kind, metadata: { name: uid }, spec: { hash } };
}

/** Sets a user's password, whether or not they had one. */
export async function setPassword(
  services: IdentityServices,
  queue: Pick<PasswordQueue, 'run'>,
  uid: string,
  password: string,
  options: { readonly user: UserInfo; readonly signal?: AbortSignal },
): Promise<void> {
  const store = services.store('credentials');
  const sent = credentialOf(store, uid, await queue.run(() => hashPassword(password)));
  const writing: WriteOptions = { namespace: '', dryRun: false, ...options };
  const isThere = services.lookup.get(store.kind.qualified, '', uid) !== undefined;
  if (isThere) await store.update(uid, (old) => ({ ...old, spec: sent.spec }), writing);
  else await store.create(sent, writing);
}
