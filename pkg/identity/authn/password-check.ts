import { ApiError } from '../../kube/status/status.js';
import { invalidPassword } from './errors.js';
import type { OnFailedSignIn } from './failed-sign-ins.js';
import { verifyPassword } from './password.js';
import type { PasswordQueue } from './password-queue.js';
import { type AttemptKeys, SignInLimits } from './sign-in-limits.js';
import type { UserInfo } from './user.js';

/** An account that may log in with a password. */
export interface PasswordAccount {
  readonly user: UserInfo;
  /** The result of `hashPassword`; empty for somebody whose password a directory knows. */
  readonly hash: string;
  /** Changes with the password. What was verified under another revision is no longer valid. */
  readonly revision: string;
  /** Somebody else has set the password. It opens nothing but the change of it. */
  readonly mustChange?: boolean;
  /** What has checked the password; absent: this server. */
  readonly authModule?: string;
  /** Milliseconds for which a password that was right counts as right. Absent: until the revision changes. */
  readonly lifetime?: number;
  /** The account as it is now, for accounts that are not found by the login that was typed. */
  readonly current?: () => PasswordAccount | undefined;
}

/**
 * Checks a password elsewhere. Undefined: nobody there has the login and the password. Throws ApiError 503 if that
 * cannot be told now, and others for people who may not sign in. `notes` is for the audit log.
 */
export type ExternalPasswords = (
  attempt: { readonly login: string; readonly password: string; readonly address: string },
  notes: object | undefined,
) => Promise<PasswordAccount | undefined>;

export interface PasswordCheckOptions {
  /** The account of a login name; undefined if the account may not log in. */
  readonly find: (login: string) => PasswordAccount | undefined;
  readonly queue: Pick<PasswordQueue, 'run'>;
  /** Asked before the passwords of this server. */
  readonly external?: ExternalPasswords;
  /**
   * Whether the user has a session that began at an address with this `addressKey`. It is known after a restart, too,
   * and to all servers.
   */
  readonly hasSessionFrom?: (user: UserInfo, addressKey: string) => boolean;
  /** The hash for unknown logins. A comparison with it takes as long as for known ones. */
  readonly unknown?: string;
  readonly now?: () => number;
  /** Told of every password that is refused, also without a look at it. */
  readonly onFailed?: OnFailedSignIn;
}

/**
 * Returns the account of a correct password. Throws ApiError 401, or 429 after too many guesses or while too many
 * checks wait.
 */
export type PasswordCheck = (
  login: string,
  password: string,
  address: string,
  notes?: object,
) => Promise<PasswordAccount>;

/** A hash at the cost of `hashPassword`. */
const NOBODY = `$scrypt$ln=15,r=8,p=3$${Buffer.alloc(16).toString('base64url')}$${Buffer.alloc(32).toString('base64url')}`;

/** The only place that compares passwords, so that Basic credentials and the login form share the limits. */
export function passwordCheck(options: PasswordCheckOptions): PasswordCheck {
  const { find, queue, external, hasSessionFrom = () => false, unknown = NOBODY, now = Date.now, onFailed } = options;
  const limits = new SignInLimits(now);

  const isUsual = (login: string, keys: AttemptKeys): boolean => {
    const account = find(login);
    return (
      limits.isUsual(keys, account?.revision) || (account !== undefined && hasSessionFrom(account.user, keys.address))
    );
  };
  const verify = async (login: string, password: string, keys: AttemptKeys): Promise<PasswordAccount | undefined> => {
    const account = find(login);
    const first = isUsual(login, keys);
    const turn = { of: first ? keys.both : keys.address, first };
    const isRight = await queue.run(() => verifyPassword(password, account?.hash || unknown), turn);
    // The account may have changed while the hash was computed.
    const current = find(login);
    return isRight && current?.revision === account?.revision ? current : undefined;
  };

  /** The error if the answer from elsewhere is missing. Passwords of this server must work then, too. */
  const askExternal = async (attempt: Parameters<ExternalPasswords>[0], notes: object | undefined) => {
    try {
      return { account: await external?.(attempt, notes), failure: undefined };
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 503) throw error;
      return { account: undefined, failure: error };
    }
  };

  const check: PasswordCheck = async (login, password, address, notes) => {
    const keys = limits.keysOf({ login, address });
    const end = await limits.enter(keys, () => isUsual(login, keys));
    let isWrong = false;
    try {
      const outside = await askExternal({ login, password, address }, notes);
      const account = outside.account ?? (await verify(login, password, keys));
      isWrong = account === undefined;
      if (account === undefined) throw outside.failure ?? invalidPassword();
      limits.signedIn(keys, account.revision);
      return account;
    } finally {
      end(isWrong);
    }
  };

  return (login, password, address, notes) =>
    check(login, password, address, notes).catch((error: unknown) => {
      if (error instanceof ApiError && onFailed !== undefined) {
        const account = find(login);
        onFailed({ by: 'password', login: account?.user.name, address, why: reasonOf(error, account) });
      }
      throw error;
    });
}

function reasonOf({ code, message }: ApiError, account: PasswordAccount | undefined): string {
  if (code !== 401) return message;
  return account === undefined ? 'no account has this login and a password, and is enabled' : 'the password is wrong';
}
