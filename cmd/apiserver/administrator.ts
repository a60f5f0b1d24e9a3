import { ADMINISTRATOR, type Administrator, SYSTEM_USER } from '../../apis/authentication/bootstrap.js';
import type { Directory } from '../../apis/authentication/directory.js';
import { passwordAccountOf, setPassword } from '../../apis/authentication/passwords.js';
import type { IdentityServices } from '../../apis/authentication/services.js';
import type { Settings } from '../../pkg/config/schema.js';
import {
  type FirstPassword,
  firstPassword,
  LOOPBACK_PASSWORD,
  randomPassword,
} from '../../pkg/identity/authn/admin-password.js';
import { hashPassword, verifyPassword } from '../../pkg/identity/authn/password.js';
import { passwordProblem } from '../../pkg/identity/authn/password-policy.js';
import { PasswordQueue } from '../../pkg/identity/authn/password-queue.js';
import { passwordRules } from './environment.js';
import { isLoopbackOnly } from './loopback.js';

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
   * Returns what to tell the operator, with the password if it is no secret of theirs: how the administrator signs in,
   * if `make` created it now. If the administrator still has the password for loopback, although other machines can
   * reach the server now, this sets a random one, and tells that. Otherwise undefined: the password may be another one.
   */
  secure(services: IdentityServices, users: Directory): Promise<string | undefined>;
}

/** A password that nobody else knows, so that tools can find it in the output. */
const shownOnce = (password: string): string => `The administrator's password, shown this once: ${password}\n`;

/** How the administrator signs in after the first start. A password of the settings is not shown. */
function welcome(login: string, { password, isRandom }: FirstPassword, isOfSettings: boolean): string {
  if (isRandom) return `The administrator is ${login}. ${shownOnce(password)}`;
  const which = isOfSettings ? 'that of the setting security.admin_password' : password;
  return `The administrator is ${login}. The password is ${which}; adminctl reset-password makes a new one.\n`;
}

export function firstAdministrator(settings: Settings): FirstAdministrator {
  const { admin_user: login, admin_email: email, admin_password: password } = settings.security;
  const loopbackOnly = isLoopbackOnly(settings);
  let made: { readonly hash: string; readonly welcome: string } | undefined;
  return {
    make: async () => {
      const first = firstPassword({ password, loopbackOnly });
      made = { hash: await hashPassword(first.password), welcome: welcome(login, first, password !== undefined) };
      return { login, email, hash: made.hash };
    },
    secure: async (services, users) => {
      // By uid, because anybody may take a login that nobody has.
      const user = users.user(ADMINISTRATOR);
      const account = user && passwordAccountOf(services, user);
      if (account === undefined) return undefined;
      if (made !== undefined) return account.hash === made.hash ? made.welcome : undefined;
      if (loopbackOnly || password !== undefined) return undefined;
      if (!(await verifyPassword(LOOPBACK_PASSWORD, account.hash))) return undefined;
      const next = randomPassword();
      await setPassword(services, new PasswordQueue(), account.user.uid, next, { user: SYSTEM_USER });
      return shownOnce(next);
    },
  };
}
