import { type Directory, directory } from '../../apis/authentication/directory.js';
import { certificateUsers, userOfClaims } from '../../apis/authentication/external-identities.js';
import { renewPassword } from '../../apis/authentication/first-password.js';
import { freshIdentities, hearing } from '../../apis/authentication/fresh.js';
import { lastSeenRecorder, lastUsedRecorder, tokenKey } from '../../apis/authentication/last-seen.js';
import { startLdapSchedule } from '../../apis/authentication/ldap/schedule.js';
import type { SyncReport } from '../../apis/authentication/ldap/sync.js';
import { loginEndpoints } from '../../apis/authentication/login.js';
import { OPERATOR } from '../../apis/authentication/operator.js';
import type { IdentityServices } from '../../apis/authentication/services.js';
import { sessionAuthenticator } from '../../apis/authentication/session-cookie.js';
import { type SignOnAccounts, signOnAccounts } from '../../apis/authentication/signon/accounts.js';
import { usedSignOns } from '../../apis/authentication/signon/used.js';
import type { TimeRecorder } from '../../apis/authentication/time-recorder.js';
import { tokenReviewEndpoints } from '../../apis/authentication/token-review.js';
import { tokenAuthenticator, unknownTokens } from '../../apis/authentication/tokens.js';
import { isReserved } from '../../apis/iam/names.js';
import type { Settings } from '../../pkg/config/schema.js';
import type { AuditTrail } from '../../pkg/http/audit/trail.js';
import type { Endpoints } from '../../pkg/http/router.js';
import type { Authenticator } from '../../pkg/identity/authn/authenticator.js';
import { basicAuthenticator } from '../../pkg/identity/authn/basic.js';
import { type Accepts, certificateAuthenticator } from '../../pkg/identity/authn/certificate.js';
import { type Authenticate, authenticatorChain } from '../../pkg/identity/authn/chain.js';
import type { OnFailedSignIn } from '../../pkg/identity/authn/failed-sign-ins.js';
import { fileKeys, jwtAuthenticator, readKeys } from '../../pkg/identity/authn/jwt.js';
import { ownPagesOnly } from '../../pkg/identity/authn/own-pages.js';
import type { PasswordQueue } from '../../pkg/identity/authn/password-queue.js';
import { remoteKeys } from '../../pkg/identity/authn/remote-keys.js';
import { staticTokenAuthenticator } from '../../pkg/identity/authn/static-token.js';
import type { UserInfo } from '../../pkg/identity/authn/user.js';
import { type Accounts, accountsOf } from './accounts.js';
import { passwordRules, sessionLimits } from './environment.js';
import { type SignOnSources, signOnOf } from './sign-on.js';

/** The credentials of the operator, which may be rotated while the server runs. */
export interface OperatorCredentials {
  /** admin.token as it is now. */
  readonly token: () => string;
  readonly accepts: Accepts;
}

export interface IdentityOptions {
  readonly settings: Pick<Settings, 'auth' | 'security' | 'server'>;
  readonly operator: OperatorCredentials;
  readonly services: IdentityServices;
  readonly queue: PasswordQueue;
  readonly signOn: SignOnSources;
  readonly onError: (error: unknown, what: string) => void;
  /** Logs a warning for the operator. */
  readonly warn: (message: string) => void;
  readonly onFailedSignIn?: OnFailedSignIn;
  /** Whether this server synchronizes with the directory now. Absent: it never does. */
  readonly isElected?: () => boolean;
  readonly onSync?: (report: SyncReport) => void;
  /** Records what the server does by itself. */
  readonly audit?: AuditTrail | undefined;
}

export interface Identity {
  readonly authenticate: Authenticate;
  readonly users: Directory;
  readonly accounts: Accounts;
  /** Login, logout and TokenReview. */
  readonly endpoints: readonly Endpoints[];
  /** For tests: resolves when the times at which users were seen and tokens were used are stored. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

const SWEEP_EVERY = 3_600_000;

/**
 * Builds the authentication: our client certificates and the admin token for the operator; tokens, sessions, JWTs and
 * passwords for stored accounts.
 */
export async function composeIdentity(options: IdentityOptions): Promise<Identity> {
  const { settings, operator, services, queue, onError, onFailedSignIn } = options;
  const { auth, server } = settings;
  const users = directory(services);
  const limits = sessionLimits(settings);
  const rootUrl = server.root_url;
  const { warn } = options;
  const findsByEmail = auth.oauth_allow_insecure_email_lookup;
  const people = signOnAccounts({ services, findsByEmail, warn });
  const ldap = options.signOn.ldap && { providers: options.signOn.ldap, accounts: people, warn, audit: options.audit };
  const accounts = accountsOf({
    services,
    queue,
    limits,
    rootUrl,
    ...(ldap && { ldap }),
    ...(onFailedSignIn && { onFailedSignIn }),
  });
  const { sessions, cookies, tokens, checkPassword: check, find } = accounts;
  const lastUsed = lastUsedRecorder(services, onError);
  const others = hearing(services);
  const chain = authenticatorChain({
    authenticators: [
      certificateUsers(certificateAuthenticator(operator.accepts), users),
      staticTokenAuthenticator(operator.token, OPERATOR),
      tokenAuthenticator(services, users, ({ metadata: { namespace = '', name } }) =>
        lastUsed.note(tokenKey(namespace, name)),
      ),
      ...(await jwtAuthenticators(auth.jwt, users, options)),
      unknownTokens,
      sessionAuthenticator({ sessions, users, cookies, rootUrl, onError }),
      basicAuthenticator({ find, check, catchUp: others.catchUp, now: services.now }),
    ],
    anonymous: auth.anonymous.enabled,
  });
  const signOn = signOnOf({ ...options, people }, accounts, users);
  const authenticate = ownPagesOnly(freshIdentities(chain, others), rootUrl);
  const lastSeen = lastSeenRecorder(services, onError);
  const stopSync = startSync(options, people);
  const stopSweeping = sweepHourly([sessions, tokens, usedSignOns(services)], onError);
  return {
    authenticate: noting(authenticate, lastSeen),
    users,
    accounts,
    endpoints: [
      loginEndpoints({
        check,
        renew: renewPassword(services, accounts.hashing, passwordRules(settings.security)),
        users,
        sessions,
        cookies,
        services,
        rootUrl,
        ...signOn,
      }),
      tokenReviewEndpoints(authenticate),
    ],
    settled: async () => {
      await Promise.all([lastSeen.settled(), lastUsed.settled()]);
    },
    close: async () => {
      await stopSync();
      await stopSweeping();
      await Promise.all([lastSeen.close(), lastUsed.close()]);
    },
  };
}

function startSync(
  { services, signOn, isElected, onError, audit, onSync: onDone = () => undefined }: IdentityOptions,
  accounts: SignOnAccounts,
): () => Promise<void> {
  if (signOn.ldap === undefined || isElected === undefined) return async () => undefined;
  return startLdapSchedule({ providers: signOn.ldap, services, accounts, audit, isElected, onError, onDone });
}

async function jwtAuthenticators(
  jwt: Settings['auth']['jwt'],
  users: Directory,
  { services: { now }, warn }: IdentityOptions,
): Promise<readonly Authenticator[]> {
  const { issuer, audience, jwks_url: url, jwks_file: file } = jwt;
  if (issuer === undefined || audience === undefined) return [];
  // Read now, so that an unreadable file is reported at the start.
  if (file !== undefined) await readKeys(file);
  const keys = file === undefined ? remoteKeys(url ?? '', { warn }) : fileKeys(file);
  const find = userOfClaims(users, { loginClaim: jwt.login_claim, emailClaim: jwt.email_claim });
  return [jwtAuthenticator({ issuer, audience, clockSkew: jwt.clock_skew / 1000, keys, find, now })];
}

/** Records when stored users were last seen, without making them wait. */
function noting(authenticate: Authenticate, lastSeen: TimeRecorder): Authenticate {
  const note = (user: UserInfo): UserInfo => {
    if (user.uid !== '' && !isReserved(user.name)) lastSeen.note(user.uid);
    return user;
  };
  return (credentials, request) => {
    const user = authenticate(credentials, request);
    return user instanceof Promise ? user.then(note) : note(user);
  };
}

/** Removes old sessions, tokens and sign-ins every hour. Returns a function that stops it. */
function sweepHourly(
  sweepers: readonly { sweep(): Promise<void> }[],
  onError: IdentityOptions['onError'],
): () => Promise<void> {
  let sweeping: Promise<void> = Promise.resolve();
  const sweep = async (): Promise<void> => {
    for (const sweeper of sweepers) {
      await sweeper
        .sweep()
        .catch((error: unknown) => onError(error, 'old sessions, tokens or sign-ins could not be removed'));
    }
  };
  const timer = setInterval(() => {
    sweeping = sweeping.then(sweep);
  }, SWEEP_EVERY).unref();
  return async () => {
    clearInterval(timer);
    await sweeping;
  };
}
