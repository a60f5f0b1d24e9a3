import { ADMINISTRATOR, type Administrator, SYSTEM_USER } from '../../apis/authentication/bootstrap.js';
import type { Directory } from '../../apis/authentication/directory.js';
import { passwordAccountOf, setPassword } from '../../apis/authentication/passwords.js';
import type { IdentityServices } from '../../apis/authentication/services.js';
import type { Settings } from '../../pkg/config/schema.js';
import { firstPassword, LOOPBACK_PASSWORD, randomPassword } from '../../pkg/identity/authn/admin-password.js';
import { hashPassword, verifyPassword } from '../../pkg/identity/authn/password.js';
import { passwordProblem } from '../../pkg/identity/authn/password-policy.js';
import { PasswordQueue } from '../../pkg/identity/authn/password-queue.js';
import { isLoopback } from '../../pkg/system/net/address.js';
import { passwordRules } from './environment.js';

/** Whether only this machine can reach the server. */
const isLoopbackOnly = ({ server }: Settings): boolean =>
  [
    { address: server.http_addr, port: server.http_port },
    { address: server.https_addr, port: server.https_port },
  ].every(({ address, port }) => port === -1 || isLoopback(address));

/** A warning about a weak `security.admin_password`. It is the operator's choice, so it is not refused. */
export async function weakPassword({ security }: Settings): Promise<string | undefined> {
  const { admin_password: password, admin_user: login, admin_email: email } = security;
  if (password === undefined) return undefined;
  const problem = await passwordProblem(password, passwordRules(security), [login, email]);
  if (problem === undefined) return undefined;
  const why = problem === 'common' ? 'a common password' : `too ${problem}`;
  return `security.admin_password is ${why}. If the administrator has it, change it with adminctl reset-password.`;
}

export interface FirstAdministrator {
  /** Called at the first start only. */
  make(): Promise<Administrator>;
  /**
   * Returns a password to print, if a random one was set. Either `make` created the administrator with it, or the
   * administrator still had the password for loopback, although other machines can reach the server now. Then this sets
   * a random one.
   */
  secure(services: IdentityServices, users: Directory): Promise<string | undefined>;
}

export function firstAdministrator(settings: Settings): FirstAdministrator {
  const { admin_user: login, admin_email: email, admin_password: password } = settings.security;
  const loopbackOnly = isLoopbackOnly(settings);
  let made: { readonly hash: string; readonly random: string | undefined } | undefined;
  return {
    make: async () => {
      const first = firstPassword({ password, loopbackOnly });
      made = { hash: await hashPassword(first.password), random: first.isRandom ? first.password : undefined };
      return { login, email, hash: made.hash };
    },
    secure: async (services, users) => {
      // By uid, because anybody may take a login that nobody has.
      const user = users.user(ADMINISTRATOR);
      const account = user && passwordAccountOf(services, user);
      if (account === undefined) return undefined;
      if (made !== undefined) return account.hash === made.hash ? made.random : undefined;
      if (loopbackOnly || password !== undefined) return undefined;
      if (!(await verifyPassword(LOOPBACK_PASSWORD, account.hash))) return undefined;
      const next = randomPassword();
      await setPassword(services, new PasswordQueue(), account.user.uid, next, { user: SYSTEM_USER });
      return next;
    },
  };
}
