import type { ApiRequest, ApiResponse } from '../../../pkg/http/handler.js';
import { rootPath } from '../../../pkg/http/root-path.js';
import type { LogoutParameters } from '../../../pkg/identity/saml/logout.js';
import { runSaml } from '../../../pkg/identity/saml/thread/run.js';
import { SignOnFailure } from '../../../pkg/identity/signon/failure.js';
import { messageOf } from '../../../pkg/system/errors/message.js';
import { redirect } from '../redirect.js';
import { sessionSecret } from '../session-cookie.js';
import type { Session } from '../sessions.js';
import { isSaml, type SamlSigningOn } from './saml.js';
import { type SignIn, type SignOnOptions, samlRootUrlOf } from './sign-in.js';

/** Single logout, in both directions (SAML V2.0 Profiles, §4.4). */
export class SamlLogout {
  readonly #options: SignOnOptions;
  readonly #saml: SamlSigningOn;

  constructor(options: SignOnOptions, saml: SamlSigningOn) {
    this.#options = options;
    this.#saml = saml;
  }

  /** Where the browser goes to end the session at the provider, too. Undefined if that is not possible or not set. */
  async urlFor(session: Session, request: ApiRequest): Promise<string | undefined> {
    const { external } = session.spec ?? {};
    const provider = external && this.#options.providers.get(external.provider);
    if (external === undefined || provider?.type !== 'saml' || !provider.settings.singleLogout) return undefined;
    const { nameId: value, format, nameQualifier, spNameQualifier, sessionIndex } = external;
    try {
      const partners = await this.#saml.partners(provider, samlRootUrlOf(this.#options, request));
      const nameId = { value, format, nameQualifier, spNameQualifier };
      return await runSaml('logoutUrl', { partners, session: { nameId, sessionIndex } });
    } catch (error) {
      if (!(error instanceof SignOnFailure)) throw error;
      this.#options.warn(`A session at ${provider.name} was not ended: ${messageOf(error)}`);
      return undefined;
    }
  }

  /** Ends the sessions that the provider names, or receives the browser after `urlFor`. */
  async receive(signIn: SignIn): Promise<ApiResponse> {
    const { request } = signIn;
    const sent = sentTo(signIn);
    // The session here has ended before, so the answer of the provider changes nothing and is not read.
    if (sent === undefined) return redirect(`${rootPath(this.#options.rootUrl)}/login?disableAutoLogin`);
    return signIn
      .orFailure(() => signIn.attempt(() => this.#end(signIn, sent), 'logout'))
      .then((answer) => {
        const secret = sessionSecret(request);
        const { sessions, cookies } = this.#options;
        if (secret === undefined || sessions.find(secret) !== undefined) return answer;
        const own = [answer.headers['set-cookie'] ?? []].flat();
        const taken = cookies.take(request.client?.isSecure === true);
        return { ...answer, headers: { ...answer.headers, 'set-cookie': [...own, ...taken] } };
      });
  }

  async #end(signIn: SignIn, { parameters, relayState }: Sent): Promise<ApiResponse> {
    const provider = signIn.provider(isSaml);
    const { request, samlRootUrl, name } = signIn;
    if (!provider.settings.singleLogout) throw new SignOnFailure('disabled', 'single_logout is off');
    const now = this.#options.services.now();
    const asked = await this.#saml.check(signIn, provider, (partners) =>
      runSaml('logoutRequest', { partners, parameters, now }),
    );
    const users = await this.#options.sessions.closeExternal({ provider: name, ...asked }, request);
    if (request.audit !== undefined) {
      request.audit.login = name;
      request.audit.user = users[0] === undefined ? undefined : this.#options.users.user(users[0]);
    }
    const partners = await this.#saml.partners(provider, samlRootUrl);
    const url = await runSaml('logoutAnswerUrl', { partners, request: asked, relayState });
    return redirect(url, [], request.method === 'POST' ? 303 : 302);
  }
}

interface Sent {
  readonly parameters: LogoutParameters;
  readonly relayState: string;
}

/** Undefined for the answer to a request of this server. */
function sentTo({ request: { method, body, uri = '' } }: SignIn): Sent | undefined {
  const isPosted = method === 'POST';
  const query = isPosted ? Buffer.from(body).toString('utf8') : uri.split('?').slice(1).join('?');
  const values = new URLSearchParams(query);
  const request = values.get('SAMLRequest') ?? '';
  if (request === '') return undefined;
  const parameters: LogoutParameters = isPosted ? { binding: 'post', request } : { binding: 'redirect', query };
  return { parameters, relayState: values.get('RelayState') ?? '' };
}
