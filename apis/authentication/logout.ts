import type { ApiRequest, ApiResponse } from '../../pkg/http/handler.js';
import { siteOf } from '../../pkg/http/peer.js';
import { rootPath } from '../../pkg/http/root-path.js';
import { cookieOf } from '../../pkg/identity/authn/cookies.js';
import type { OAuthProviders } from '../../pkg/identity/signon/settings.js';
import type { Directory } from './directory.js';
import { checkMethod, refuseForeign } from './own-site.js';
import { redirect } from './redirect.js';
import type { IdentityServices } from './services.js';
import { SESSION_COOKIE, type SessionCookies } from './session-cookie.js';
import type { Session, Sessions } from './sessions.js';
import { providerOfModule } from './signon/auth-module.js';

export interface LogoutOptions {
  readonly users: Pick<Directory, 'user'>;
  readonly sessions: Sessions;
  readonly cookies: SessionCookies;
  readonly services: Pick<IdentityServices, 'fresh'>;
  readonly rootUrl: string | undefined;
  readonly providers: OAuthProviders;
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
  return redirect(afterwards(session, options), options.cookies.take(isSecure));
}

function afterwards(session: Session | undefined, { providers, rootUrl }: LogoutOptions): string {
  const provider = providerOfModule(session?.spec?.authModule);
  const address = provider && providers.get(provider)?.settings.signoutRedirectUrl;
  if (address !== undefined && address !== '') return new URL(address).href;
  // Otherwise the sign-in page would sign the person in again at once.
  const isAutomatic = providers.enabled().some(({ settings }) => settings.autoLogin);
  return `${rootPath(rootUrl)}/login${isAutomatic ? '?disableAutoLogin' : ''}`;
}
