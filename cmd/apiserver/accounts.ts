import { directory } from '../../apis/authentication/directory.js';
import { passwordAccounts } from '../../apis/authentication/passwords.js';
import type { IdentityServices } from '../../apis/authentication/services.js';
import { type SessionCookies, sessionCookies } from '../../apis/authentication/session-cookie.js';
import { type SessionLimits, type Sessions, sessions } from '../../apis/authentication/sessions.js';
import { type ServiceAccountTokens, serviceAccountTokens } from '../../apis/authentication/tokens.js';
import type { OnFailedSignIn } from '../../pkg/identity/authn/failed-sign-ins.js';
import { type PasswordCheck, passwordCheck } from '../../pkg/identity/authn/password-check.js';
import { PasswordQueue } from '../../pkg/identity/authn/password-queue.js';
import type { UserInfo } from '../../pkg/identity/authn/user.js';
import { addressKey } from '../../pkg/system/net/address.js';

/**
 * The account services that authentication and the legacy API share, so that both use the same throttle, queue and
 * sessions.
 */
export interface Accounts {
  readonly sessions: Sessions;
  readonly cookies: SessionCookies;
  readonly tokens: ServiceAccountTokens;
  /**
   * Hashes the passwords that authenticated callers set. It is separate from the queue of logins, which anybody can
   * fill.
   */
  readonly hashing: Pick<PasswordQueue, 'hash'>;
  readonly checkPassword: PasswordCheck;
}

export interface AccountOptions {
  readonly services: IdentityServices;
  readonly queue: Pick<PasswordQueue, 'run'>;
  readonly hashing?: Pick<PasswordQueue, 'hash'>;
  readonly limits: SessionLimits;
  readonly rootUrl: string | undefined;
  readonly onFailedSignIn?: OnFailedSignIn;
}

/** More than the default of `limits.max_mutating_in_flight`, so the queue is never full by default. */
const MOST_HASHING = 500;

export function accountsOf({
  services,
  queue,
  hashing = new PasswordQueue({ maxWaiting: MOST_HASHING, maxWaitingEach: MOST_HASHING }),
  limits,
  rootUrl,
  onFailedSignIn: onFailed,
}: AccountOptions): Accounts {
  const find = passwordAccounts(services, directory(services));
  const own = sessions(services, limits);
  const hasSessionFrom = ({ uid }: UserInfo, key: string): boolean =>
    own.list(uid).some(({ spec }) => spec?.clientIp !== undefined && addressKey(spec.clientIp) === key);
  return {
    sessions: own,
    cookies: sessionCookies({ limits, rootUrl, now: services.now }),
    tokens: serviceAccountTokens(services),
    hashing,
    checkPassword: passwordCheck({ find, queue, hasSessionFrom, now: services.now, ...(onFailed && { onFailed }) }),
  };
}
