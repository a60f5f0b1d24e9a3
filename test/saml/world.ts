import type { Backend } from '../../storage/backend.js';
import { type AuthnOptions, type AuthnServer, openAuthnServer } from '../authn/harness.js';
import { onEachStore, onOneStore } from '../harness/stores.js';
import { Browser, type Page } from '../signon/browser.js';
import { callerOf } from '../signon/world.js';
import { base64, pairNamed } from './certificates.js';
import {
  type IdentityProvider,
  openIdentityProvider,
  type ProviderOptions,
  type ProviderPerson,
} from './identity-provider.js';

/** A server, and an identity provider by which people sign in. */
export interface SamlWorld {
  readonly server: AuthnServer;
  readonly idp: IdentityProvider;
  readonly url: string;
  /** Signs in as a person, in a new browser or in this one. */
  signInAs(person: ProviderPerson, options?: SamlSignIn): Promise<SamlSignedIn>;
  close(): Promise<void>;
}

export interface SamlSignIn {
  readonly browser?: Browser;
  readonly redirectTo?: string;
}

export interface SamlSignedIn {
  readonly browser: Browser;
  /** The answer of the assertion consumer service. */
  readonly page: Page;
  /** The caller of the session, from `/whoami`. Undefined without a session. */
  readonly caller: Readonly<Record<string, unknown>> | undefined;
}

export interface SamlWorldOptions extends AuthnOptions {
  /** Settings of `[auth.saml]`. */
  readonly saml?: Readonly<Record<string, string>>;
  readonly idp?: Partial<ProviderOptions>;
  /** The server has no certificate. */
  readonly isBare?: boolean;
}

export const ATTRIBUTES = {
  assertion_attribute_name: 'displayName',
  assertion_attribute_login: 'login',
  assertion_attribute_email: 'mail',
  assertion_attribute_groups: 'groups',
  assertion_attribute_role: 'role',
  assertion_attribute_org: 'org',
};

export async function openSamlWorld(backend: Backend, options: SamlWorldOptions = {}): Promise<SamlWorld> {
  const idp = await openIdentityProvider({ pair: await pairNamed('idp'), ...options.idp });
  const server = await openAuthnServer(backend, {
    ...options,
    argv: [...(await samlArguments(idp, options)), ...(options.argv ?? [])],
  });
  const url = `http://127.0.0.1:${server.port}`;
  idp.trust((await new Browser().visit(`${url}/saml/metadata`)).text);
  return {
    server,
    idp,
    url,
    signInAs: async (person, { browser = new Browser(), redirectTo } = {}) => {
      idp.person = person;
      const query = redirectTo === undefined ? '' : `?redirectTo=${encodeURIComponent(redirectTo)}`;
      const page = await postedBack(browser, await browser.visit(`${url}/login/saml${query}`));
      return { browser, page, caller: await callerOf(browser, url) };
    },
    close: async () => {
      await server.close();
      await idp.close();
    },
  };
}

/** The arguments of a server that trusts the provider. */
export async function samlArguments(idp: IdentityProvider, { saml = {}, isBare = false }: SamlWorldOptions = {}) {
  const own = await pairNamed('server');
  const settings = {
    enabled: 'true',
    name: 'Corp',
    idp_metadata_url: `${idp.url}/metadata`,
    ...ATTRIBUTES,
    ...(!isBare && { certificate: base64(own.certificate), private_key: base64(own.key) }),
    ...saml,
  };
  return Object.entries(settings).map(([key, value]) => `--auth.saml.${key}=${value}`);
}

/** Goes to the provider by a redirect or a form, and back by the form that it sends. */
export async function postedBack(browser: Browser, begun: Page): Promise<Page> {
  const form = formIn(begun);
  const there =
    form === undefined ? await browser.visit(begun.location) : await browser.visit(form.action, { form: form.fields });
  const back = formIn(there);
  if (back === undefined)
    throw new Error(`The provider sends no form: ${there.status} ${there.text} ${begun.location}`);
  return browser.visit(back.action, { form: back.fields, headers: { origin: new URL(there.url).origin } });
}

export interface PageForm {
  readonly action: string;
  readonly fields: Readonly<Record<string, string>>;
}

export function formIn({ text }: Page): PageForm | undefined {
  const action = /<form method="post" action="([^"]*)"/.exec(text)?.[1];
  if (action === undefined) return undefined;
  const inputs = [...text.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)];
  return {
    action: plain(action),
    fields: Object.fromEntries(inputs.map(([, name = '', value = '']) => [plain(name), plain(value)])),
  };
}

const plain = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

export function oneSamlWorld(title: string, suite: (world: () => SamlWorld) => void, options?: SamlWorldOptions): void {
  onOneStore(title, (backend) => openSamlWorld(backend, options), suite);
}

export function eachSamlWorld(
  title: string,
  suite: (world: () => SamlWorld) => void,
  options?: SamlWorldOptions,
): void {
  onEachStore(title, (backend) => openSamlWorld(backend, options), suite);
}
