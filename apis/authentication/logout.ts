import type { ApiRequest, ApiResponse } from '../../pkg/http/handler.js';
import { siteOf } from '../../pkg/http/peer.js';
import { rootPath } from '../../pkg/http/root-path.js';
import { cookieOf } from '../../pkg/identity/authn/cookies.js';
import type { EnabledProviders } from '../../pkg/identity/signon/providers.js';
import type { Directory } from './directory.js';
import { checkMethod, refuseForeign } from './own-site.js';
import { redirect } from './redirect.js';
import type { IdentityServices } from './services.js';
import { SESSION_COOKIE, type SessionCookies } from './session-cookie.js';
import type { Session, Sessions } from './sessions.js';
import { providerOfModule } from './signon/auth-module.js';
import type { SamlServices } from './signon/saml-routes.js';

export interface LogoutOptions {
  readonly users: Pick<Directory, 'user'>;
  readonly sessions: Sessions;
  readonly cookies: SessionCookies;
  readonly services: Pick<IdentityServices, 'fresh'>;
  readonly rootUrl: string | undefined;
  readonly providers: EnabledProviders;
  readonly saml: SamlServices;
}

/**
 * Ends the session of the cookie, if there is one. Redirects browsers to the sign-in page, or to where the provider of
 * the session ends its own session. A link on another site must not do so, but people may enter the address themselves
 * (`Sec-Fetch-Site: none`).
 */
export async function logout(request: ApiRequest, options: LogoutOptions): Promise<ApiResponse> {
  checkMethod(request, ['GET', 'POST']);
  const { fetchSite, isSecure } = siteOf(request);
  if (request.method === 'POST' || fetchSite !== 'none') refuseForeign(request, options.rootUrl);
  await options.services.fresh(request);
  const secret = cookieOf(request.headers['cookie'], SESSION_COOKIE);
  const session = secret === undefined ? undefined : options.sessions.find(secret)?.session;
  if (session !== undefined) {
    if (request.audit !== undefined) request.audit.user = options.users.user(session.spec?.userRef.name ?? '');
    await options.sessions.close(session.metadata.name, request);
  }
  return redirect(await afterwards(request, session, options), options.cookies.take(isSecure));
}

async function afterwards(
  request: ApiRequest,
  session: Session | undefined,
  { providers, rootUrl, saml }: LogoutOptions,
): Promise<string> {
  const provider = providers.get(providerOfModule(session?.spec?.authModule) ?? '');
  if (session !== undefined && provider?.type === 'saml') {
    const address = await saml.logout.urlFor(session, request);
    if (address !== undefined) return address;
  } else if (provider !== undefined && provider.type !== 'saml' && provider.settings.signoutRedirectUrl !== '') {
    return new URL(provider.settings.signoutRedirectUrl).href;
  }
  // Otherwise the sign-in page would sign the person in again at once.
  const isAutomatic = providers.enabled().some(({ settings }) => settings.autoLogin);
  return `${rootPath(rootUrl)}/login${isAutomatic ? '?disableAutoLogin' : ''}`;
}
