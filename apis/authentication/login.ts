import { z } from 'zod';
import type { ApiRequest, ApiResponse } from '../../pkg/http/handler.js';
import { mediaTypeOf } from '../../pkg/http/media-type.js';
import { siteOf } from '../../pkg/http/peer.js';
import { rootPath } from '../../pkg/http/root-path.js';
import { addRoute, createRouter, type Endpoints, type RouteHandler, routerEndpoints } from '../../pkg/http/router.js';
import { warningHeaders } from '../../pkg/http/warnings.js';
import { invalidPassword, MUST_CHANGE, mustChangePassword } from '../../pkg/identity/authn/errors.js';
import { isSameOrigin } from '../../pkg/identity/authn/origin.js';
import type { PasswordCheck } from '../../pkg/identity/authn/password-check.js';
import type { FailureCode } from '../../pkg/identity/signon/failure.js';
import { localPath } from '../../pkg/identity/signon/local-path.js';
import { fold } from '../../pkg/kube/meta/fold.js';
import { ApiError } from '../../pkg/kube/status/status.js';
import { legacyBody } from '../../registry/legacy/body.js';
import { renderLegacyError } from '../../registry/legacy/errors.js';
import { done, ok } from '../../registry/legacy/respond.js';
import { SYSTEM_USER } from './bootstrap.js';
import type { RenewPassword } from './first-password.js';
import { type LoginPageOptions, loginPage } from './login-page.js';
import { type LogoutOptions, logout } from './logout.js';
import { checkMethod, refuseForeign } from './own-site.js';
import { redirect } from './redirect.js';
import { sessionSecret } from './session-cookie.js';

export interface LoginOptions extends LoginPageOptions, LogoutOptions {
  readonly check: PasswordCheck;
  readonly renew: RenewPassword;
  /** `GET /login/<provider>`. */
  readonly signOn: RouteHandler;
}

const Login = z.object({
  user: z.string().min(1).max(190),
  password: z.string().max(1000),
  /** For users who must change their password. */
  newPassword: z.string().max(1000).optional(),
});
type Login = z.infer<typeof Login>;

/** Strangers send these bodies. Every character of the longest login and password may be escaped. */
const MOST_LOGIN_BYTES = 16 * 1024;
const FORM = 'application/x-www-form-urlencoded';

/** The sign-in page, `POST /login`, `/login/<provider>`, `/logout` and `GET /api/login/ping` for browsers. */
export function loginEndpoints(options: LoginOptions): Endpoints {
  const router = createRouter();
  addRoute(router, 'ANY', '/login', (request) => answer(request, options));
  addRoute(router, 'ANY', '/login/:provider', options.signOn);
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

function answer(request: ApiRequest, options: LoginOptions): Promise<ApiResponse> {
  checkMethod(request, ['GET', 'HEAD', 'POST']);
  if (request.method !== 'POST') return loginPage(request, options);
  refuseForeign(request, options.rootUrl);
  return isOwnForm(request, options) ? loginByForm(request, options) : loginByJson(request, options);
}

/** Opens a session after a password check. A page of another site must not log its visitors in as another user. */
async function loginByJson(request: ApiRequest, options: LoginOptions): Promise<ApiResponse> {
  let ignored: readonly string[] = [];
  const onIgnored = (warnings: readonly string[]): void => {
    ignored = warnings;
  };
  const cookies = await open(request, legacyBody(request, Login, { onIgnored }), options);
  const headers = { 'set-cookie': cookies, ...warningHeaders(ignored) };
  return ok({ message: 'Logged in', redirectUrl: `${rootPath(options.rootUrl)}/` }, headers);
}

/** The same for the form of the sign-in page, without scripts. */
async function loginByForm(request: ApiRequest, options: LoginOptions): Promise<ApiResponse> {
  const form = new URLSearchParams(Buffer.from(request.body).toString('utf8'));
  const given = Login.safeParse(Object.fromEntries(form));
  const root = rootPath(options.rootUrl);
  const to = localPath(form.get('redirectTo'), root) ?? `${root}/`;
  try {
    if (!given.success) throw invalidPassword();
    const cookies = await open(request, given.data, options);
    const hasWarning = isGuessable(given.data) && leadsToConsole(to, root);
    return redirect(hasWarning ? `${to}${GUESSABLE}` : to, cookies, 303);
  } catch (error) {
    const failure = failureOf(error);
    if (!(error instanceof ApiError) || failure === undefined) throw error;
    if (request.audit !== undefined) request.audit.signInFailure = error.message;
    return redirect(`${root}/login?error=${failure}&redirectTo=${encodeURIComponent(to)}`, [], 303);
  }
}

/** Tells the console, in the part of the address that browsers send to no server. */
const GUESSABLE = '#guessable-password';

/** The root of the server leads to the console, too. */
function leadsToConsole(to: string, root: string): boolean {
  return to === `${root}/` || to === `${root}/console` || /^\/console[/?]/.test(to.slice(root.length));
}

/** Who knows the login knows the password, as with `admin` of a new server. */
function isGuessable({ user, password, newPassword }: Login): boolean {
  return newPassword === undefined && fold(user) === fold(password);
}

const FAILURES_BY_CODE: Readonly<Record<number, FailureCode>> = { 400: 'new_password', 401: 'password', 429: 'wait' };

function failureOf(error: unknown): FailureCode | undefined {
  if (!(error instanceof ApiError)) return undefined;
  return error.details?.uid === MUST_CHANGE ? 'change' : FAILURES_BY_CODE[error.code];
}

/** Only a page of this server may send a form: other sites can make browsers send one, too. */
function isOwnForm(request: ApiRequest, { rootUrl }: LoginOptions): boolean {
  return mediaTypeOf(request) === FORM && isSameOrigin(siteOf(request), rootUrl);
}

async function open(request: ApiRequest, { user: name, password, newPassword }: Login, options: LoginOptions) {
  await options.services.fresh(request);
  const clientIp = request.client?.remoteAddress ?? '';
  const { audit } = request;
  if (audit !== undefined) audit.login = name;
  const account = await options.check(name, password, clientIp);
  const { user } = account;
  if (audit !== undefined) audit.user = user;
  if (account.mustChange === true) {
    if (newPassword === undefined) throw mustChangePassword();
    await options.renew(account, { password, newPassword }, { user: SYSTEM_USER });
  }
  const userAgent = request.headers['user-agent'];
  const { secret } = await options.sessions.open(user, { clientIp, userAgent, replaced: sessionSecret(request) });
  return options.cookies.give(secret, request.client?.isSecure === true);
}

async function ping(request: ApiRequest): Promise<ApiResponse> {
  checkMethod(request, ['GET', 'HEAD']);
  return done('Logged in');
}
