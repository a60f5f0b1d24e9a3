import { z } from 'zod';
import type { Site } from '../../pkg/authn/authenticator.js';
import { cookieOf } from '../../pkg/authn/cookies.js';
import { foreignOrigin } from '../../pkg/authn/errors.js';
import { isForeign } from '../../pkg/authn/origin.js';
import type { PasswordCheck } from '../../pkg/authn/password-check.js';
import type { ApiRequest, ApiResponse } from '../../pkg/http/handler.js';
import { addRoute, createRouter, type Endpoints, routerEndpoints } from '../../pkg/http/router.js';
import { siteOf } from '../../pkg/http/site.js';
import { methodNotAllowed } from '../../pkg/status/errors.js';
import { legacyBody } from '../../registry/legacy/body.js';
import { renderLegacyError } from '../../registry/legacy/errors.js';
import { done, ok } from '../../registry/legacy/respond.js';
import type { Directory } from './directory.js';
import type { IdentityServices } from './services.js';
import { SESSION_COOKIE, type SessionCookies } from './session-cookie.js';
import type { Sessions } from './sessions.js';

export interface LoginOptions {
  readonly check: PasswordCheck;
  readonly users: Pick<Directory, 'user'>;
  readonly sessions: Sessions;
  readonly cookies: SessionCookies;
  readonly services: Pick<IdentityServices, 'fresh'>;
  readonly rootUrl: string | undefined;
}

const Login = z.object({ user: z.string().min(1).max(190), password: z.string().max(1000) });

/** Strangers send these bodies. Every character of the longest login and password may be escaped. */
const MOST_LOGIN_BYTES = 16 * 1024;

/** `POST /login`, `/logout` and `GET /api/login/ping` for browsers of the legacy API. */
export function loginEndpoints(options: LoginOptions): Endpoints {
  const router = createRouter();
  addRoute(router, 'ANY', '/login', (request) => login(request, options));
  addRoute(router, 'ANY', '/logout', (request) => logout(request, options));
  addRoute(router, 'ANY', '/api/login/ping', ping);
  const renderError = renderLegacyError;
  const mounts = [
    { prefix: '/login', isPublic: true, bodyBytes: MOST_LOGIN_BYTES, renderError },
    { prefix: '/logout', isPublic: true, bodyBytes: 0, renderError },
    { prefix: '/api/login/ping', bodyBytes: 0, renderError },
  ];
  return routerEndpoints(router, mounts);
}

/** Opens a session after a password check. A page of another site must not log its visitors in as another user. */
async function login(request: ApiRequest, options: LoginOptions): Promise<ApiResponse> {
  checkMethod(request, ['POST']);
  refuseForeign(siteOf(request), options);
  const { user: name, password } = legacyBody(request, Login);
  await options.services.fresh(request);
  const clientIp = request.client?.remoteAddress ?? '';
  const { audit } = request;
  if (audit !== undefined) audit.login = name;
  const { user } = await options.check(name, password, clientIp);
  if (audit !== undefined) audit.user = user;
  const { secret } = await options.sessions.open(user, { clientIp, userAgent: request.headers['user-agent'] });
  const cookies = options.cookies.give(secret, request.client?.isSecure === true);
  return ok({ message: 'Logged in', redirectUrl: '/' }, { 'set-cookie': cookies });
}

/**
 * Ends the session of the cookie, if there is one, and redirects browsers to the login page. A link on another site must not do so, but
 * people may enter the address themselves (`Sec-Fetch-Site: none`).
 */
async function logout(request: ApiRequest, options: LoginOptions): Promise<ApiResponse> {
  checkMethod(request, ['GET', 'POST']);
  const site = siteOf(request);
  if (request.method === 'POST' || site.fetchSite !== 'none') refuseForeign(site, options);
  await options.services.fresh(request);
  const secret = cookieOf(request.headers['cookie'], SESSION_COOKIE);
  const found = secret === undefined ? undefined : options.sessions.find(secret);
  if (found !== undefined) {
    if (request.audit !== undefined) request.audit.user = options.users.user(found.session.spec?.userRef.name ?? '');
    await options.sessions.close(found.session.metadata.name, request);
  }
  const headers = {
    location: '/login',
    'set-cookie': options.cookies.take(site.isSecure),
    'cache-control': 'no-store',
  };
  return { status: 302, headers };
}

async function ping(request: ApiRequest): Promise<ApiResponse> {
  checkMethod(request, ['GET', 'HEAD']);
  return done('Logged in');
}

function checkMethod({ method }: ApiRequest, methods: readonly string[]): void {
  if (!methods.includes(method)) throw methodNotAllowed(method);
}

function refuseForeign(site: Site, { rootUrl }: LoginOptions): void {
  if (isForeign(site, rootUrl)) throw foreignOrigin();
}
