import type { PasswordCheck } from '../../../pkg/identity/authn/password-check.js';
import type { PasswordQueue } from '../../../pkg/identity/authn/password-queue.js';
import type { LdapProvider } from '../../../pkg/identity/ldap/provider.js';
import type { SyncReport } from '../../authentication/ldap/sync.js';
import type { SessionCookies } from '../../authentication/session-cookie.js';
import type { Sessions } from '../../authentication/sessions.js';
import type { ServiceAccountTokens } from '../../authentication/tokens.js';
import type { ConfiguredServices } from '../../environment.js';

/** The services that the legacy adapters of users, teams and service accounts need beside the objects. */
export interface IamServices extends ConfiguredServices {
  readonly sessions: Sessions;
  readonly cookies: SessionCookies;
  readonly tokens: ServiceAccountTokens;
  /** Hashing occupies a thread for a while, so it is queued. A full queue refuses with 429. */
  readonly hashing: Pick<PasswordQueue, 'hash'>;
  /** Checks a password, throttled as sign-in is. */
  readonly checkPassword: PasswordCheck;
  /** Synchronizes one user. Undefined: the user does not sign in by a directory. Absent: there are no directories. */
  readonly syncWithDirectory?:
    | ((provider: LdapProvider, uid: string, signal: AbortSignal) => Promise<SyncReport | undefined>)
    | undefined;
}
