import type { ApiRequest, ApiResponse } from '../../../pkg/http/handler.js';
import { mediaTypeOf } from '../../../pkg/http/media-type.js';
import { rootPath } from '../../../pkg/http/root-path.js';
import type { CheckedAssertion } from '../../../pkg/identity/saml/assertion.js';
import { credentialsOf } from '../../../pkg/identity/saml/credentials.js';
import { UnknownSignature } from '../../../pkg/identity/saml/failure.js';
import { type MetadataCache, metadataCache } from '../../../pkg/identity/saml/metadata-cache.js';
import { decodeBase64 } from '../../../pkg/identity/saml/parameter.js';
import { CLOCK_SKEW, type Partners } from '../../../pkg/identity/saml/partner.js';
import { personOfAssertion } from '../../../pkg/identity/saml/profile.js';
import { newRequestId } from '../../../pkg/identity/saml/request-id.js';
import { type SamlProvider, serviceAddresses } from '../../../pkg/identity/saml/settings.js';
import { runSaml } from '../../../pkg/identity/saml/thread/run.js';
import { SignOnFailure } from '../../../pkg/identity/signon/failure.js';
import { localPath } from '../../../pkg/identity/signon/local-path.js';
import type { Pending } from '../../../pkg/identity/signon/pending.js';
import type { EnabledProvider } from '../../../pkg/identity/signon/providers.js';
import { messageOf } from '../../../pkg/system/errors/message.js';
import type { SessionSpec } from '../../internal/session/schema.js';
import { redirect } from '../redirect.js';
import { formPage } from './form-page.js';
import type { SignIn, SignOnOptions } from './sign-in.js';
import { Verifications } from './verifications.js';

export const isSaml = (provider: EnabledProvider): provider is SamlProvider => provider.type === 'saml';

const FORM = 'application/x-www-form-urlencoded';

/** The browser has posted the form once more, from a page of this server. */
const AGAIN = 'again';

/** What came to the assertion consumer service. Nobody has checked its signature. */
interface Received {
  readonly xml: string;
  readonly relayState: string;
  /** The sign-in of this browser whose ID is in the text. Undefined: the provider has begun the sign-in. */
  readonly pending: Pending | undefined;
}

/** Signing in by SAML 2.0 (Web Browser SSO Profile; SAML V2.0 Profiles, §4.1). */
export class SamlSigningOn {
  readonly #options: SignOnOptions;
  readonly #metadata: MetadataCache;
  readonly #verifications = new Verifications();

  constructor(options: SignOnOptions) {
    this.#options = options;
    this.#metadata = metadataCache(options.services.now, options.warn);
  }

  /** Sends the browser to the provider. */
  begin(signIn: SignIn): Promise<ApiResponse> {
    return signIn.orFailure(async () => {
      const partners = await this.partners(signIn.provider(isSaml), signIn.samlRootUrl);
      const id = newRequestId();
      const { url, form } = await runSaml('signOnRequest', { partners, id });
      const cookies = [await signIn.begun({ state: id }, partners.addresses.acs)];
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
      if (!signIn.hasBegun && !form.has(AGAIN)) return formPage(acs, { ...fieldsOf(form), [AGAIN]: '1' });
      const received = await this.#received(signIn, provider, form);
      const kind = received.pending === undefined ? 'unsolicited' : undefined;
      return signIn.attempt(() => this.#accept(signIn, provider, received), kind);
    });
  }

  /**
   * What nobody here waits for is refused before anything is parsed, and is no attempt of the address: a page of
   * another site cannot know the ID of the request.
   */
  async #received(signIn: SignIn, { settings }: SamlProvider, form: URLSearchParams): Promise<Received> {
    const xml = textOf(form.get('SAMLResponse') ?? '');
    const received = { xml, relayState: form.get('RelayState') ?? '' };
    const pending = await signIn.pending().catch((error: unknown) => {
      if (settings.allowIdpInitiated && error instanceof SignOnFailure) return undefined;
      throw error;
    });
    if (pending !== undefined && xml.includes(pending.state)) return { ...received, pending };
    if (settings.allowIdpInitiated) return { ...received, pending: undefined };
    throw new SignOnFailure('state', /\bInResponseTo\s*=/.test(xml) ? OTHER_REQUEST : NO_REQUEST);
  }

  async #accept(signIn: SignIn, provider: SamlProvider, received: Received): Promise<ApiResponse> {
    const { settings } = provider;
    const now = this.#options.services.now();
    const assertion = await this.check(signIn, provider, (partners) =>
      runSaml('response', { partners, xml: received.xml, now }),
    );
    const { inResponseTo, issuer, id } = assertion;
    // The response itself need not be signed, so only the assertion says which request it answers.
    const pending = inResponseTo === undefined ? undefined : received.pending;
    if (pending?.state !== inResponseTo) throw new SignOnFailure('state', OTHER_REQUEST);
    const to = pending?.to ?? this.#unsolicited(settings, received.relayState);
    const uid = await signIn.accept(personOfAssertion(settings, assertion), {
      issuer,
      allowSignUp: settings.allowSignUp,
      allowAssignGrafanaAdmin: settings.roleValuesGrafanaAdmin.length > 0,
      skipOrgRoleSync: settings.skipOrgRoleSync,
      states: [...(pending === undefined ? [] : [pending.state]), `${issuer} ${id}`],
      ends: Math.max(pending?.ends ?? 0, assertion.ends) + CLOCK_SKEW,
    });
    const { sessionEnds } = assertion;
    return signIn.open(uid, to, {
      ...(settings.singleLogout && { external: externalOf(signIn.name, assertion) }),
      ...(sessionEnds !== undefined && { endsAt: sessionEnds }),
    });
  }

  /** Checks a message. Reads the metadata again if its signature is not of the keys that were read before. */
  async check<T>(signIn: SignIn, provider: SamlProvider, work: (partners: Partners) => Promise<T>): Promise<T> {
    const partners = await this.partners(provider, signIn.samlRootUrl);
    const check = (as: Partners) => this.#verifications.run(signIn.address, () => work(as));
    try {
      return await check(partners);
    } catch (error) {
      const idp = error instanceof UnknownSignature ? await this.#metadata.refreshed(provider) : undefined;
      if (idp === undefined) throw error;
      return check({ ...partners, idp });
    }
  }

  /** Where the browser goes after a sign-in that the provider has begun. */
  #unsolicited({ allowIdpInitiated, relayState }: SamlProvider['settings'], sent: string): string {
    if (!allowIdpInitiated) throw new SignOnFailure('state', NO_REQUEST);
    if (relayState !== '' && relayState !== sent)
      throw new SignOnFailure('state', 'the relay state is not the one of the setting relay_state');
    const root = rootPath(this.#options.rootUrl);
    return localPath(sent, root) ?? `${root}/`;
  }

  /** Throws SignOnFailure if the settings or the metadata of the provider do not suffice. */
  async partners(provider: SamlProvider, rootUrl: string): Promise<Partners> {
    const { settings } = provider;
    const [idp, credentials] = await Promise.all([this.#metadata.get(provider), credentialsOf(settings)]);
    return { settings, credentials, idp, addresses: serviceAddresses(provider, rootUrl) };
  }
}

const NO_REQUEST = 'the response answers no request, and allow_idp_initiated is off';
const OTHER_REQUEST = 'the response answers the request of another browser, or an earlier one';

function formOf(request: ApiRequest): URLSearchParams {
  if (mediaTypeOf(request) !== FORM) throw new SignOnFailure('provider', 'the response is not in a form');
  return new URLSearchParams(Buffer.from(request.body).toString('utf8'));
}

/** Nothing else, because the page would have fields that another site has named. */
function fieldsOf(form: URLSearchParams): Readonly<Record<string, string>> {
  const sent = (name: string): Readonly<Record<string, string>> =>
    form.has(name) ? { [name]: form.get(name) ?? '' } : {};
  return { ...sent('SAMLResponse'), ...sent('RelayState') };
}

function textOf(parameter: string): string {
  try {
    return decodeBase64(parameter);
  } catch (error) {
    throw new SignOnFailure('state', `the response is not valid: ${messageOf(error)}`, error);
  }
}

function externalOf(
  provider: string,
  { nameId, sessionIndex }: CheckedAssertion,
): NonNullable<SessionSpec['external']> {
  const { value, format, nameQualifier, spNameQualifier } = nameId;
  const given = { format, nameQualifier, spNameQualifier, sessionIndex };
  return {
    provider,
    nameId: value,
    ...Object.fromEntries(Object.entries(given).filter(([, text]) => text !== undefined && text !== '')),
  };
}
