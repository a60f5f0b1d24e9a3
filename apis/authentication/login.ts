import { z } from 'zod';
import type { ApiRequest, ApiResponse } from '../../pkg/http/handler.js';
import { mediaTypeOf } from '../../pkg/http/media-type.js';
import { siteOf } from '../../pkg/http/peer.js';
import { rootPath } from '../../pkg/http/root-path.js';
import { addRoute, createRouter, type Endpoints, type RouteHandler, routerEndpoints } from '../../pkg/http/router.js';
import { warningHeaders } from '../../pkg/http/warnings.js';
import { invalidPassword, MUST_CHANGE, mustChangePassword, signInFailureOf } from '../../pkg/identity/authn/errors.js';
import { isSameOrigin } from '../../pkg/identity/authn/origin.js';
import type { PasswordCheck } from '../../pkg/identity/authn/password-check.js';
import { FAILURES } from '../../pkg/identity/signon/failure.js';
import { localPath } from '../../pkg/identity/signon/local-path.js';
import { fold } from '../../pkg/kube/meta/fold.js';
import { badRequest } from '../../pkg/kube/status/errors.js';
import { ApiError } from '../../pkg/kube/status/status.js';
import { legacyBody } from '../../registry/legacy/body.js';
import { renderLegacyError } from '../../registry/legacy/errors.js';
import { done, ok } from '../../registry/legacy/respond.js';
import { SYSTEM_USER } from './bootstrap.js';
import type { RenewPassword } from './first-password.js';
import { type LoginPageOptions, loginPage, refusedPage } from './login-page.js';
import { type LogoutOptions, logout } from './logout.js';
import { checkMethod, refuseForeign } from './own-site.js';
import { redirect } from './redirect.js';
import { sessionSecret } from './session-cookie.js';
import { addSamlRoutes, MOST_SAML_BYTES } from './signon/saml-routes.js';

export interface LoginOptions extends LoginPageOptions, LogoutOptions {
  readonly check: PasswordCheck;
  readonly renew: RenewPassword;
  /** `GET /login/<provider>`. */
  readonly signOn: RouteHandler;
}

const LONGEST_LOGIN = 190;
const Login = z.object({
  user: z.string().min(1).max(LONGEST_LOGIN),
  password: z.string().max(1000),
  /** For users who must change their password. */
  newPassword: z.string().max(1000).optional(),
});
type Login = z.infer<typeof Login>;

/** Strangers send these bodies. Every character of the longest login and password may be escaped. */
const MOST_LOGIN_BYTES = 16 * 1024;
const FORM = 'application/x-www-form-urlencoded';

/** The sign-in page, `POST /login`, `/login/<provider>`, `/saml`, `/logout` and `GET /api/login/ping` for browsers. */
export function loginEndpoints(options: LoginOptions): Endpoints {
  const router = createRouter();
  addRoute(router, 'ANY', '/login', (request) => answer(request, options));
  addRoute(router, 'ANY', '/login/:provider', options.signOn);
  addRoute(router, 'ANY', '/logout', (request) => logout(request, options));
  // Where existing clients end a session at a SAML provider, too.
  addRoute(router, 'ANY', '/logout/saml', (request) => logout(request, options));
  addSamlRoutes(router, options.saml);
  addRoute(router, 'ANY', '/api/login/ping', ping);
  const renderError = renderLegacyError;
  const mounts = [
    { prefix: '/login', isPublic: true, bodyBytes: MOST_LOGIN_BYTES, renderError },
    { prefix: '/logout', isPublic: true, bodyBytes: 0, renderError },
    { prefix: '/saml', isPublic: true, bodyBytes: MOST_SAML_BYTES, renderError, isUnlisted: true },
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
    requireSame(given.data.newPassword, form.get('newPasswordAgain'));
    const cookies = await open(request, given.data, options);
    const hasWarning = isGuessable(given.data) && leadsToConsole(to, root);
    return redirect(hasWarning ? `${to}${GUESSABLE}` : to, cookies, 303);
  } catch (error) {
    const message = error instanceof ApiError ? messageOf(error) : undefined;
    if (!(error instanceof ApiError) || message === undefined) throw error;
    if (request.audit !== undefined) request.audit.signInFailure = error.message;
    const changesPassword = mustChange(error) || error.code === 400;
    const { code: status, details } = error;
    const login = (form.get('user') ?? '').slice(0, LONGEST_LOGIN);
    const attempt = { status, login, message, changesPassword, retryAfter: details?.retryAfterSeconds };
    return refusedPage(attempt, to, options);
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

/** The form asks twice for a new password, because nobody sees what they type. */
function requireSame(newPassword: string | undefined, again: string | null): void {
  if (newPassword !== undefined && again !== newPassword) throw badRequest('The two new passwords are not the same');
}

const mustChange = ({ details }: ApiError): boolean => details?.uid === MUST_CHANGE;

/** What the page says. Undefined for a failure that is not about what was typed. */
function messageOf(error: ApiError): string | undefined {
  if (mustChange(error)) return FAILURES.change;
  const refused = signInFailureOf(error);
  if (refused !== undefined) return FAILURES[refused];
  if (error.code === 400) return `${error.message}.`;
  if (error.code === 401) return FAILURES.password;
  if (error.code !== 429) return undefined;
  const { retryAfterSeconds: seconds = 1 } = error.details ?? {};
  return `${FAILURES.wait} ${seconds === 1 ? 'One second is enough.' : `${seconds} seconds are enough.`}`;
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
  const account = await options.check(name, password, clientIp, audit);
  const { user } = account;
  if (audit !== undefined) audit.user = user;
  if (account.mustChange === true) {
    if (newPassword === undefined) throw mustChangePassword();
    await options.renew(account, { password, newPassword }, { user: SYSTEM_USER });
  }
  const userAgent = request.headers['user-agent'];
  const { authModule } = account;
  const { secret } = await options.sessions.open(user, {
    clientIp,
    userAgent,
    replaced: sessionSecret(request),
    ...(authModule !== undefined && { authModule }),
  });
  return options.cookies.give(secret, request.client?.isSecure === true);
}

async function ping(request: ApiRequest): Promise<ApiResponse> {
  checkMethod(request, ['GET', 'HEAD']);
  return done('Logged in');
}
