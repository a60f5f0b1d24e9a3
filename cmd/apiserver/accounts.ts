import { directory } from '../../apis/authentication/directory.js';
import { ldapPasswords } from '../../apis/authentication/ldap/passwords.js';
import { syncOne } from '../../apis/authentication/ldap/sync.js';
import { passwordAccounts } from '../../apis/authentication/passwords.js';
import type { IdentityServices } from '../../apis/authentication/services.js';
import { type SessionCookies, sessionCookies } from '../../apis/authentication/session-cookie.js';
import { type SessionLimits, type Sessions, sessions } from '../../apis/authentication/sessions.js';
import type { SignOnAccounts } from '../../apis/authentication/signon/accounts.js';
import { type ServiceAccountTokens, serviceAccountTokens } from '../../apis/authentication/tokens.js';
import type { IamServices } from '../../apis/iam/legacy/services.js';
import type { AuditTrail } from '../../pkg/http/audit/trail.js';
import type { OnFailedSignIn } from '../../pkg/identity/authn/failed-sign-ins.js';
import { type PasswordAccount, type PasswordCheck, passwordCheck } from '../../pkg/identity/authn/password-check.js';
import { PasswordQueue } from '../../pkg/identity/authn/password-queue.js';
import type { UserInfo } from '../../pkg/identity/authn/user.js';
import type { LdapProviders } from '../../pkg/identity/ldap/provider.js';
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
  /** The account of a login; undefined if the account may not log in with a password. */
  readonly find: (login: string) => PasswordAccount | undefined;
  readonly syncWithDirectory?: IamServices['syncWithDirectory'];
}

export interface AccountOptions {
  readonly services: IdentityServices;
  readonly queue: Pick<PasswordQueue, 'run'>;
  readonly hashing?: Pick<PasswordQueue, 'hash'>;
  readonly limits: SessionLimits;
  readonly rootUrl: string | undefined;
  readonly onFailedSignIn?: OnFailedSignIn;
  /** Absent: passwords are those of this server alone. */
  readonly ldap?: LdapAccounts;
}

/** The directories, and what keeps the users of their people. */
export interface LdapAccounts {
  readonly providers: LdapProviders;
  readonly accounts: SignOnAccounts;
  readonly warn: (message: string) => void;
  /** Records who is disabled and enabled. */
  readonly audit?: AuditTrail | undefined;
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
  ldap,
}: AccountOptions): Accounts {
  const users = directory(services);
  const find = passwordAccounts(services, users, () => ldap?.providers() !== undefined);
  const external = ldap && ldapPasswords({ ...ldap, users, services });
  const own = sessions(services, limits);
  const hasSessionFrom = ({ uid }: UserInfo, key: string): boolean =>
    own.list(uid).some(({ spec }) => spec?.clientIp !== undefined && addressKey(spec.clientIp) === key);
  return {
    sessions: own,
    cookies: sessionCookies({ limits, rootUrl, now: services.now }),
    tokens: serviceAccountTokens(services),
    hashing,
    find,
    ...(ldap && {
      syncWithDirectory: (provider, uid, signal) => syncOne({ services, ...ldap }, provider, uid, signal),
    }),
    checkPassword: passwordCheck({
      find,
      queue,
      hasSessionFrom,
      now: services.now,
      ...(external && { external }),
      ...(onFailed && { onFailed }),
    }),
  };
}
