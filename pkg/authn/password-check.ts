import { invalidPassword } from './errors.js';
import { GuessLimit } from './guess-limit.js';
import { verifyPassword } from './password.js';
import type { PasswordQueue } from './password-queue.js';
import type { UserInfo } from './user.js';

/** Someone who may log in with a password. */
export interface PasswordAccount {
  readonly user: UserInfo;
  /** As `hashPassword` made it. */
  readonly hash: string;
  /** Changes whenever the password does: what was verified under another one is forgotten. */
  readonly revision: string;
}

export interface PasswordCheckOptions {
  /** The account of a login name; undefined for those that may not log in. */
  readonly find: (login: string) => PasswordAccount | undefined;
  readonly queue: Pick<PasswordQueue, 'run'>;
  readonly now?: () => number;
}

/** Whose password it is; throws ApiError 401, or 429 for who has guessed too often or while too many wait. */
export type PasswordCheck = (login: string, password: string, address: string) => Promise<PasswordAccount>;

/** Stands in for an unknown login's hash, so that an answer takes as long as for a known one. */
const NOBODY = `$scrypt$ln=15,r=8,p=3$${Buffer.alloc(16).toString('base64url')}$${Buffer.alloc(32).toString('base64url')}`;

/** The one place where passwords are compared: Basic credentials and the login form share its throttle. */
export function passwordCheck({ find, queue, now = Date.now }: PasswordCheckOptions): PasswordCheck {
  const limit = new GuessLimit(now);

  // However the account is named: each way to write its login, or its e-mail address, would be five guesses more.
  const placeOf = (login: string, address: string): string => {
    const account = find(login);
    return account === undefined ? `${address} ? ${login.toLowerCase()}` : `${address} = ${account.user.uid}`;
  };
  const verify = async (login: string, password: string): Promise<PasswordAccount | undefined> => {
    const account = find(login);
    const isRight = await queue.run(() => verifyPassword(password, account?.hash ?? NOBODY));
    // Looked up again: the account may have changed while this was computed.
    const still = find(login);
    return isRight && still?.revision === account?.revision ? still : undefined;
  };

  return async (login, password, address) => {
    const account = await limit.attempt(placeOf(login, address), () => verify(login, password));
    if (account === undefined) throw invalidPassword();
    return account;
  };
}
