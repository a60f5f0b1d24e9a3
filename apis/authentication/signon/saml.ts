import type { ApiRequest, ApiResponse } from '../../../pkg/http/handler.js';
import { mediaTypeOf } from '../../../pkg/http/media-type.js';
import { rootPath } from '../../../pkg/http/root-path.js';
import type { CheckedAssertion } from '../../../pkg/identity/saml/assertion.js';
import { credentialsOf } from '../../../pkg/identity/saml/credentials.js';
import { type MetadataCache, metadataCache } from '../../../pkg/identity/saml/metadata-cache.js';
import { CLOCK_SKEW, type Partners } from '../../../pkg/identity/saml/partner.js';
import { personOfAssertion } from '../../../pkg/identity/saml/profile.js';
import { newRequestId, signOnRequest } from '../../../pkg/identity/saml/request.js';
import {
  openResponse,
  readResponse,
  type UncheckedResponse,
  UnknownSignature,
} from '../../../pkg/identity/saml/response.js';
import { serviceMetadata } from '../../../pkg/identity/saml/service-metadata.js';
import { type SamlProvider, serviceAddresses } from '../../../pkg/identity/saml/settings.js';
import { SignOnFailure } from '../../../pkg/identity/signon/failure.js';
import { localPath } from '../../../pkg/identity/signon/local-path.js';
import type { EnabledProvider } from '../../../pkg/identity/signon/providers.js';
import { pathNotFound } from '../../../pkg/kube/status/errors.js';
import { ApiError } from '../../../pkg/kube/status/status.js';
import { messageOf } from '../../../pkg/system/errors/message.js';
import type { SessionSpec } from '../../internal/session/schema.js';
import { redirect } from '../redirect.js';
import { formPage } from './form-page.js';
import { type SignIn, type SignOnOptions, samlRootUrlOf } from './sign-in.js';
import { Verifications } from './verifications.js';

export const isSaml = (provider: EnabledProvider): provider is SamlProvider => provider.type === 'saml';

const FORM = 'application/x-www-form-urlencoded';

/** The browser has posted the form once more, from a page of this server. */
const AGAIN = 'again';

/** Signing in by SAML 2.0 (Web Browser SSO Profile; SAML V2.0 Profiles, §4.1). */
export class SamlSigningOn {
  readonly #options: SignOnOptions;
  readonly #metadata: MetadataCache;
  readonly verifications = new Verifications();

  constructor(options: SignOnOptions) {
    this.#options = options;
    this.#metadata = metadataCache(options.services.now, options.warn);
  }

  /** Sends the browser to the provider. */
  begin(signIn: SignIn): Promise<ApiResponse> {
    return signIn.orFailure(async () => {
      const partners = await this.partners(signIn.provider(isSaml), signIn.samlRootUrl);
      const state = newRequestId();
      const { url, form } = await signOnRequest(partners, state);
      const cookies = [await signIn.begun({ state }, partners.addresses.acs)];
      return form === undefined ? redirect(url, cookies) : formPage(url, form, cookies);
    });
  }

  /**
   * The assertion consumer service. Browsers send no cookies with a form of another site (`SameSite=Lax`), so the form
   * goes through a page of this server first.
   */
  consume(signIn: SignIn): Promise<ApiResponse> {
    const { audit } = signIn.request;
    if (audit !== undefined) audit.login = signIn.name;
    return signIn.orFailure(async () => {
      const provider = signIn.provider(isSaml);
      const form = formOf(signIn.request);
      const { acs } = serviceAddresses(provider, signIn.samlRootUrl);
      if (!signIn.hasBegun && !form.has(AGAIN)) return formPage(acs, { ...Object.fromEntries(form), [AGAIN]: '1' });
      const response = await this.verifications.run(() => openResponse(form.get('SAMLResponse') ?? ''));
      // What nobody here waits for is refused before it takes time, and is no attempt of the address.
      await this.#expected(signIn, provider, form, response.inResponseTo);
      const kind = response.inResponseTo === undefined ? 'unsolicited' : undefined;
      return signIn.attempt(() => this.#accept(signIn, provider, form, response), kind);
    });
  }

  async #expected(signIn: SignIn, { settings }: SamlProvider, form: URLSearchParams, inResponseTo: string | undefined) {
    const pending = inResponseTo === undefined ? undefined : await signIn.pending(inResponseTo);
    return { pending, to: pending?.to ?? this.#unsolicited(settings, form.get('RelayState') ?? '') };
  }

  async #accept(
    signIn: SignIn,
    provider: SamlProvider,
    form: URLSearchParams,
    response: UncheckedResponse,
  ): Promise<ApiResponse> {
    const { settings } = provider;
    const assertion = await this.#read(signIn, provider, response);
    const { inResponseTo, issuer, id } = assertion;
    // The response itself need not be signed, so only the assertion says which request it answers.
    const { pending, to } = await this.#expected(signIn, provider, form, inResponseTo);
    const uid = await signIn.accept(personOfAssertion(settings, assertion), {
      issuer,
      allowSignUp: settings.allowSignUp,
      allowAssignGrafanaAdmin: settings.roleValuesGrafanaAdmin.length > 0,
      skipOrgRoleSync: settings.skipOrgRoleSync,
      states: [...(pending === undefined ? [] : [pending.state]), `${issuer} ${id}`],
      ends: Math.max(pending?.ends ?? 0, assertion.ends) + CLOCK_SKEW,
    });
    return signIn.open(uid, to, settings.singleLogout ? externalOf(signIn.name, assertion) : undefined);
  }

  /** Reads the metadata again if the signature is not of the keys that were read before. */
  async #read(signIn: SignIn, provider: SamlProvider, response: UncheckedResponse): Promise<CheckedAssertion> {
    const partners = await this.partners(provider, signIn.samlRootUrl);
    const now = this.#options.services.now();
    try {
      return await this.verifications.run(() => readResponse(partners, response, now));
    } catch (error) {
      const idp = error instanceof UnknownSignature ? await this.#metadata.refreshed(provider) : undefined;
      if (idp === undefined) throw error;
      return this.verifications.run(() => readResponse({ ...partners, idp }, response, now));
    }
  }

  /** Where the browser goes after a sign-in that the provider has begun. */
  #unsolicited({ allowIdpInitiated, relayState }: SamlProvider['settings'], sent: string): string {
    if (!allowIdpInitiated)
      throw new SignOnFailure('state', 'the response answers no request, and allow_idp_initiated is off');
    if (relayState !== '' && relayState !== sent)
      throw new SignOnFailure('state', 'the relay state is not the one of the setting relay_state');
    const root = rootPath(this.#options.rootUrl);
    return localPath(sent, root) ?? `${root}/`;
  }

  /** The metadata of this server. A provider that is off has them, too. */
  async metadata(request: ApiRequest, name: string): Promise<ApiResponse> {
    const provider = this.#options.providers.saml(name);
    if (provider === undefined) throw pathNotFound();
    const { settings } = provider;
    const addresses = serviceAddresses(provider, this.#rootUrl(request));
    const credentials = await credentialsOf(settings).catch((error: unknown) => {
      if (!(error instanceof SignOnFailure)) throw error;
      this.#options.warn(`The metadata of ${name} have no certificate: ${error.message}`);
      return undefined;
    });
    const xml = serviceMetadata(settings, addresses, credentials, this.#options.services.now());
    const headers = { 'content-type': 'application/samlmetadata+xml; charset=utf-8', 'cache-control': 'no-store' };
    return { status: 200, headers, body: Buffer.from(xml) };
  }

  #rootUrl(request: ApiRequest): string {
    try {
      return samlRootUrlOf(this.#options, request);
    } catch (error) {
      throw new ApiError({ code: 421, reason: 'BadRequest', message: messageOf(error) });
    }
  }

  /** Throws SignOnFailure if the settings or the metadata of the provider do not suffice. */
  async partners(provider: SamlProvider, rootUrl: string): Promise<Partners> {
    const { settings } = provider;
    const [idp, credentials] = await Promise.all([this.#metadata.get(provider), credentialsOf(settings)]);
    return { settings, credentials, idp, addresses: serviceAddresses(provider, rootUrl) };
  }
}

function formOf(request: ApiRequest): URLSearchParams {
  if (mediaTypeOf(request) !== FORM) throw new SignOnFailure('provider', 'the response is not in a form');
  return new URLSearchParams(Buffer.from(request.body).toString('utf8'));
}

function externalOf(provider: string, { nameId, sessionIndex }: CheckedAssertion): SessionSpec['external'] {
  const { value, format, nameQualifier, spNameQualifier } = nameId;
  const given = { format, nameQualifier, spNameQualifier, sessionIndex };
  return {
    provider,
    nameId: value,
    ...Object.fromEntries(Object.entries(given).filter(([, text]) => text !== undefined && text !== '')),
  };
}
