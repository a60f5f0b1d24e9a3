import type { ApiRequest } from '../../pkg/http/handler.js';
import type { AuthenticationContext, Authenticator, Site } from '../../pkg/identity/authn/authenticator.js';
import { cookieOf, setCookie } from '../../pkg/identity/authn/cookies.js';
import { foreignOrigin } from '../../pkg/identity/authn/errors.js';
import { isForeignUse } from '../../pkg/identity/authn/origin.js';
import { isSameCaller, type UserInfo } from '../../pkg/identity/authn/user.js';
import { sessionId } from '../internal/credential-ids.js';
import { byCredential, type Directory } from './directory.js';
import type { Session, SessionLimits, Sessions } from './sessions.js';

/**
 * The cookies that browsers of the legacy API know: the secret, and the time of its next rotation, which scripts may
 * read.
 */
export const SESSION_COOKIE = 'grafana_session';
const EXPIRY_COOKIE = 'grafana_session_expiry';

/** The secret of the session that a browser has, if it has one. */
export const sessionSecret = ({ headers }: Pick<ApiRequest, 'headers'>): string | undefined =>
  cookieOf(headers['cookie'], SESSION_COOKIE);

export interface CookieOptions {
  readonly limits: SessionLimits;
  /**
   * The URL at which browsers reach the server. Its pages may send writes, and its scheme decides whether cookies are
   * sent over HTTPS only.
   */
  readonly rootUrl: string | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

export interface SessionCookies {
  /** The cookies that set a secret. */
  give(secret: string, isSecure: boolean): readonly string[];
  /** The cookies that remove the secret. */
  take(isSecure: boolean): readonly string[];
}

export function sessionCookies({ limits, rootUrl, now }: CookieOptions): SessionCookies {
  const isHttps = rootUrl?.toLowerCase().startsWith('https:') === true;
  const cookies = (secret: string, expiry: string, maxAge: number, isSecure: boolean): readonly string[] => {
    const common = { maxAge, isSecure: isSecure || isHttps };
    return [
      setCookie(SESSION_COOKIE, secret, { ...common, httpOnly: true }),
      setCookie(EXPIRY_COOKIE, expiry, { ...common, httpOnly: false }),
    ];
  };
  return {
    give: (secret, isSecure) => {
      const rotation = Math.floor((now() + limits.rotateAfter) / 1000);
      return cookies(secret, String(rotation), limits.maxInactive / 1000, isSecure);
    },
    take: (isSecure) => cookies('', '', 0, isSecure),
  };
}

export interface SessionAuthenticatorOptions {
  readonly sessions: Sessions;
  readonly users: Directory;
  readonly cookies: SessionCookies;
  readonly rootUrl: string | undefined;
  readonly onError: (error: unknown, what: string) => void;
}

/**
 * Authenticates callers by their session cookie. Writes that a page sends, and resources that it loads, must come from
 * a page of this server. Otherwise, any site could act for a user who is logged in, or measure answers. The secret
 * rotates from time to time, and the response then sets the next one.
 */
export function sessionAuthenticator(options: SessionAuthenticatorOptions): Authenticator {
  const { sessions, users, rootUrl, onError } = options;
  const identify = byCredential();
  const busy = new Set<string>();

  const userOf = (session: Session): UserInfo | undefined => users.user(session.spec?.userRef.name ?? '');
  const identified = (session: Session, user: UserInfo): UserInfo =>
    identify(user, session, sessionId(session.metadata.name), () => {
      const now = sessions.get(session.metadata.name);
      return now !== undefined && isSameCaller(userOf(now), user);
    });

  /**
   * Runs one piece of work per session at a time. Requests that arrive meanwhile keep the secret that they have. A
   * failed write is reported but does not refuse the request.
   */
  const exclusively = async <T>(session: Session, what: string, work: () => Promise<T>): Promise<T | undefined> => {
    const { name } = session.metadata;
    busy.add(name);
    try {
      return await work();
    } catch (error) {
      onError(error, what);
      return undefined;
    } finally {
      busy.delete(name);
    }
  };

  const rotate = async (
    session: Session,
    secret: string,
    site: Site,
    request: AuthenticationContext,
  ): Promise<void> => {
    const next = await exclusively(session, 'a session keeps its secret', () => sessions.rotate(session, secret));
    if (next === undefined) return;
    for (const cookie of options.cookies.give(next, site.isSecure)) request.setCookie?.(cookie);
  };

  return {
    authenticate: ({ authorization, cookie, site }, request) => {
      const secret = authorization === undefined ? cookieOf(cookie, SESSION_COOKIE) : undefined;
      if (secret === undefined || site === undefined) return undefined;
      const found = sessions.find(secret);
      const user = found && userOf(found.session);
      if (found === undefined || user === undefined) return undefined;
      if (isForeignUse(site, rootUrl)) throw foreignOrigin();
      const { session } = found;
      const caller = identified(session, user);
      if (busy.has(session.metadata.name)) return caller;
      if (request.setCookie !== undefined && sessions.wantsRotation(found)) {
        return rotate(session, secret, site, request).then(() => caller);
      }
      if (sessions.wantsSettling(found)) {
        void exclusively(session, 'a session keeps its previous secret', () => sessions.settle(session));
      }
      return caller;
    },
  };
}
