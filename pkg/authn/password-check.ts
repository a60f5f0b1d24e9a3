import { tooManyRequests } from '../status/errors.js';
import { BoundedMap } from './bounded-map.js';
import { invalidPassword } from './errors.js';
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

/** Five wrong passwords in five minutes, for an account from one address; then it waits. */
const FAILURES = { most: 10_000, milliseconds: 5 * 60_000, allowed: 5 };
const RETRY_SECONDS = 60;

/** Stands in for an unknown login's hash, so that an answer takes as long as for a known one. */
const NOBODY = `$scrypt$ln=15,r=8,p=3$${Buffer.alloc(16).toString('base64url')}$${Buffer.alloc(32).toString('base64url')}`;

/** The one place where passwords are compared: Basic credentials and the login form share its throttle. */
export function passwordCheck({ find, queue, now = Date.now }: PasswordCheckOptions): PasswordCheck {
  const failures = new BoundedMap<number>(FAILURES.most, FAILURES.milliseconds, now);

  const forgive = (place: string): void => failures.set(place, Math.max(0, (failures.get(place) ?? 0) - 1));

  return async (login, password, address) => {
    const account = find(login);
    // However the account is named: each way to write its login, or its e-mail address, would be five guesses more.
    const place = account === undefined ? `${address} ? ${login.toLowerCase()}` : `${address} = ${account.user.uid}`;
    const failed = failures.get(place) ?? 0;
    if (failed >= FAILURES.allowed) throw tooManyRequests(RETRY_SECONDS);
    // Counted before it is known, so that many at once are no way round the limit.
    failures.set(place, failed + 1);
    const isRight = await queue
      .run(() => verifyPassword(password, account?.hash ?? NOBODY))
      .catch((error: unknown) => {
        forgive(place);
        throw error;
      });
    // Looked up again: the account may have changed while this was computed.
    const still = find(login);
    if (!isRight || still === undefined || still.revision !== account?.revision) throw invalidPassword();
    failures.delete(place);
    return still;
  };
}
