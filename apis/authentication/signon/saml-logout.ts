import type { ApiRequest, ApiResponse } from '../../../pkg/http/handler.js';
import { rootPath } from '../../../pkg/http/root-path.js';
import {
  type LogoutParameters,
  logoutAnswerUrl,
  logoutUrl,
  readLogoutRequest,
} from '../../../pkg/identity/saml/logout.js';
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
      return await logoutUrl(partners, { nameId: { value, format, nameQualifier, spNameQualifier }, sessionIndex });
    } catch (error) {
      if (!(error instanceof SignOnFailure)) throw error;
      this.#options.warn(`A session at ${provider.name} was not ended: ${messageOf(error)}`);
      return undefined;
    }
  }

  /** Ends the sessions that the provider names, or receives the browser after `urlFor`. */
  async receive(signIn: SignIn): Promise<ApiResponse> {
    const { request } = signIn;
    const parameters = parametersOf(signIn);
    // The session here has ended before, so the answer of the provider changes nothing and is not read.
    if (parameters === undefined) return redirect(`${rootPath(this.#options.rootUrl)}/login?disableAutoLogin`);
    return signIn
      .orFailure(() => signIn.attempt(() => this.#end(signIn, parameters), 'logout'))
      .then((answer) => {
        const secret = sessionSecret(request);
        const { sessions, cookies } = this.#options;
        if (secret === undefined || sessions.find(secret) !== undefined) return answer;
        const own = [answer.headers['set-cookie'] ?? []].flat();
        const taken = cookies.take(request.client?.isSecure === true);
        return { ...answer, headers: { ...answer.headers, 'set-cookie': [...own, ...taken] } };
      });
  }

  async #end(signIn: SignIn, parameters: LogoutParameters): Promise<ApiResponse> {
    const provider = signIn.provider(isSaml);
    const { request, samlRootUrl, name } = signIn;
    if (!provider.settings.singleLogout) throw new SignOnFailure('disabled', 'single_logout is off');
    const partners = await this.#saml.partners(provider, samlRootUrl);
    const asked = await this.#saml.verifications.run(() =>
      readLogoutRequest(partners, parameters, this.#options.services.now()),
    );
    const users = await this.#options.sessions.closeExternal({ provider: name, ...asked }, request);
    if (request.audit !== undefined) {
      request.audit.login = name;
      request.audit.user = users[0] === undefined ? undefined : this.#options.users.user(users[0]);
    }
    const relayState = parameterOf(parameters, 'RelayState');
    return redirect(await logoutAnswerUrl(partners, asked, relayState), [], request.method === 'POST' ? 303 : 302);
  }
}

/** Undefined for the answer to a request of this server. */
function parametersOf({ request }: SignIn): LogoutParameters | undefined {
  const parameters: LogoutParameters =
    request.method === 'POST'
      ? { binding: 'post', form: new URLSearchParams(Buffer.from(request.body).toString('utf8')) }
      : { binding: 'redirect', query: (request.uri ?? '').split('?').slice(1).join('?') };
  return parameterOf(parameters, 'SAMLRequest') === '' ? undefined : parameters;
}

function parameterOf(parameters: LogoutParameters, name: string): string {
  const values = parameters.binding === 'post' ? parameters.form : new URLSearchParams(parameters.query);
  return values.get(name) ?? '';
}
