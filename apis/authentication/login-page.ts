import type { ApiRequest, ApiResponse } from '../../pkg/http/handler.js';
import { parseAccept } from '../../pkg/http/negotiation/accept.js';
import { FORM_HEADERS } from '../../pkg/http/negotiation/entity-tag.js';
import { rootPath } from '../../pkg/http/root-path.js';
import { cookieOf } from '../../pkg/identity/authn/cookies.js';
import { localPath } from '../../pkg/identity/signon/local-path.js';
import type { EnabledProviders } from '../../pkg/identity/signon/providers.js';
import { ok } from '../../registry/legacy/respond.js';
import type { Directory } from './directory.js';
import { redirect } from './redirect.js';
import type { IdentityServices } from './services.js';
import { SESSION_COOKIE } from './session-cookie.js';
import type { Sessions } from './sessions.js';
import { type Attempt, signInPage } from './signon/page.js';

export interface LoginPageOptions {
  readonly users: Pick<Directory, 'user'>;
  readonly sessions: Sessions;
  readonly services: Pick<IdentityServices, 'fresh'>;
  readonly providers: EnabledProviders;
  readonly rootUrl: string | undefined;
}

/** Scripts of the console ask by which providers one can sign in. The page tells the same to everybody. */
function asksForJson({ headers }: ApiRequest): boolean {
  const accepted = parseAccept(headers['accept']).map(({ type, subtype }) => `${type}/${subtype}`);
  return accepted.includes('application/json') && !accepted.includes('text/html');
}

/**
 * Sends people who are signed in to the page that they asked for, or tells them that they are. Others get the form, or
 * are sent to a provider with `auto_login`.
 */
export async function loginPage(request: ApiRequest, options: LoginPageOptions): Promise<ApiResponse> {
  if (asksForJson(request)) return ok({ providers: buttonsOf(options.providers) }, { vary: FORM_HEADERS });
  const { sessions, users, services, providers } = options;
  const { query, headers } = request;
  const root = rootPath(options.rootUrl);
  const to = localPath(query.get('redirectTo'), root);
  const secret = cookieOf(headers['cookie'], SESSION_COOKIE);
  if (secret !== undefined) await services.fresh(request);
  const session = secret === undefined ? undefined : sessions.find(secret)?.session;
  const signedIn = session && users.user(session.spec?.userRef.name ?? '');
  if (signedIn !== undefined && to !== undefined) return redirect(to);
  const enabled = providers.enabled();
  const auto = enabled.find(({ settings }) => settings.autoLogin);
  const isAsked = query.has('error') || query.has('disableAutoLogin');
  if (signedIn === undefined && auto !== undefined && !isAsked) {
    return redirect(`${root}/login/${auto.name}?redirectTo=${encodeURIComponent(to ?? `${root}/`)}`);
  }
  return signInPage({
    signedIn: signedIn?.name,
    providers: buttonsOf(providers),
    error: query.get('error'),
    to: to ?? `${root}/`,
    root,
  });
}

/** The form again, after an attempt that was refused. */
export function refusedPage(
  attempt: Attempt,
  to: string,
  { providers, rootUrl }: Pick<LoginPageOptions, 'providers' | 'rootUrl'>,
): ApiResponse {
  return signInPage({ providers: buttonsOf(providers), error: null, attempt, to, root: rootPath(rootUrl) });
}

function buttonsOf(providers: EnabledProviders): readonly { readonly provider: string; readonly name: string }[] {
  return providers.enabled().map(({ name, settings }) => ({ provider: name, name: settings.name }));
}
