import { invalidPassword } from './errors.js';
import { GuessLimit } from './guess-limit.js';
import { verifyPassword } from './password.js';
import type { PasswordQueue } from './password-queue.js';
import type { UserInfo } from './user.js';

/** An account that may log in with a password. */
export interface PasswordAccount {
  readonly user: UserInfo;
  /** The result of `hashPassword`. */
  readonly hash: string;
  /** Changes with the password. What was verified under another revision is no longer valid. */
  readonly revision: string;
}

export interface PasswordCheckOptions {
  /** The account of a login name; undefined if the account may not log in. */
  readonly find: (login: string) => PasswordAccount | undefined;
  readonly queue: Pick<PasswordQueue, 'run'>;
  readonly now?: () => number;
}

/** Returns the account of a correct password. Throws ApiError 401, or 429 after too many guesses or while too many checks wait. */
export type PasswordCheck = (login: string, password: string, address: string) => Promise<PasswordAccount>;

/** Used as the hash of an unknown login, so that the answer takes as long as for a known one. */
const NOBODY = `$scrypt$ln=15,r=8,p=3$${Buffer.alloc(16).toString('base64url')}$${Buffer.alloc(32).toString('base64url')}`;

/** The only place that compares passwords, so that Basic credentials and the login form share one throttle. */
export function passwordCheck({ find, queue, now = Date.now }: PasswordCheckOptions): PasswordCheck {
  const limit = new GuessLimit(now);

  // By account, not by login: otherwise each spelling of the login, and the e-mail address, would allow five more guesses.
  const keyOf = (login: string, address: string): string => {
    const account = find(login);
    return account === undefined ? `${address} ? ${login.toLowerCase()}` : `${address} = ${account.user.uid}`;
  };
  const verify = async (login: string, password: string): Promise<PasswordAccount | undefined> => {
    const account = find(login);
    const isRight = await queue.run(() => verifyPassword(password, account?.hash ?? NOBODY));
    // The account may have changed while the hash was computed.
    const current = find(login);
    return isRight && current?.revision === account?.revision ? current : undefined;
  };

  return async (login, password, address) => {
    const account = await limit.attempt(keyOf(login, address), () => verify(login, password));
    if (account === undefined) throw invalidPassword();
    return account;
  };
}
