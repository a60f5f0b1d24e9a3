import { join } from 'node:path';
import { adminAccount, isLoopback } from '../../pkg/authn/admin-password.js';
import { basicAuthenticator } from '../../pkg/authn/basic.js';
import { certificateAuthenticator } from '../../pkg/authn/certificate.js';
import { type Authenticate, authenticatorChain } from '../../pkg/authn/chain.js';
import { passwordCheck } from '../../pkg/authn/password-check.js';
import { PasswordQueue } from '../../pkg/authn/password-queue.js';
import { staticTokenAuthenticator } from '../../pkg/authn/static-token.js';
import { readIfThere, SECRET_MODE, writeAtomically } from '../../pkg/certs/files.js';
import type { Settings } from '../../pkg/config/schema.js';

export interface Identity {
  readonly authenticate: Authenticate;
  /** The administrator's password, when it was made up just now. */
  readonly newPassword: string | undefined;
}

/** Only this machine can reach the server. */
const isLoopbackOnly = ({ server }: Settings): boolean =>
  [
    { address: server.http_addr, port: server.http_port },
    { address: server.https_addr, port: server.https_port },
  ].every(({ address, port }) => port === -1 || isLoopback(address));

/** Who may come in: holders of our certificates, of the admin token, and the administrator by password. */
export async function composeIdentity(settings: Settings, adminToken: string): Promise<Identity> {
  const { admin_user: login, admin_password: password } = settings.security;
  const path = join(settings.paths.data, 'admin.password');
  const { account, newPassword } = await adminAccount({
    login,
    password,
    loopbackOnly: isLoopbackOnly(settings),
    file: { read: () => readIfThere(path), write: (hash) => writeAtomically(path, hash, SECRET_MODE) },
  });
  const find = (name: string) => (name === login ? account : undefined);
  const authenticators = [
    certificateAuthenticator(),
    staticTokenAuthenticator(adminToken, account.user),
    basicAuthenticator({ find, check: passwordCheck({ find, queue: new PasswordQueue() }) }),
  ];
  return {
    authenticate: authenticatorChain({ authenticators, anonymous: settings.auth.anonymous.enabled }),
    newPassword,
  };
}
