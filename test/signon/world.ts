import type { Configuration } from 'oidc-provider';
import type { Backend } from '../../storage/backend.js';
import { type AuthnOptions, type AuthnServer, openAuthnServer } from '../authn/harness.js';
import { onEachStore, onOneStore } from '../harness/stores.js';
import { Browser, type Page } from './browser.js';
import { CLIENT, openProvider, type PersonClaims, type TestProvider } from './openid-provider.js';

/** A server, and a provider by which people sign in. */
export interface World {
  readonly server: AuthnServer;
  readonly provider: TestProvider;
  readonly url: string;
  /**
   * Does the whole sign-in. The page is the answer of the server after the provider has redirected the browser back.
   */
  signIn(browser: Browser, options?: SignInOptions): Promise<Page>;
  /** Does it in a new browser, as a person with these claims. */
  signInAs(subject: string, claims: PersonClaims, options?: SignInOptions): Promise<SignedIn>;
  close(): Promise<void>;
}

export interface SignInOptions {
  readonly provider?: string;
  readonly redirectTo?: string;
}

export interface SignedIn {
  readonly browser: Browser;
  readonly page: Page;
  /** The caller of the session, from `/whoami`. Undefined without a session. */
  readonly caller: Readonly<Record<string, unknown>> | undefined;
}

export interface WorldOptions extends AuthnOptions {
  /** The providers, with settings in addition to those of the test provider. */
  readonly providers?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly openid?: Partial<Configuration>;
}

/** The settings of a provider whose addresses are those of the test provider. */
export function settingsFor(url: string): Readonly<Record<string, string>> {
  return {
    enabled: 'true',
    client_id: CLIENT.id,
    client_secret: CLIENT.secret,
    scopes: 'openid email profile groups',
    use_pkce: 'true',
    auth_url: `${url}/auth`,
    token_url: `${url}/token`,
    api_url: `${url}/me`,
  };
}

export async function openWorld(backend: Backend, options: WorldOptions = {}): Promise<World> {
  const { providers = { generic_oauth: {} }, argv = [], openid, ...others } = options;
  const provider = await openProvider(openid);
  const settings = Object.entries(providers).flatMap(([name, own]) =>
    Object.entries({ ...settingsFor(provider.url), ...own }).map(([key, value]) => `--auth.${name}.${key}=${value}`),
  );
  const server = await openAuthnServer(backend, { ...others, argv: [...settings, ...argv] });
  const url = `http://127.0.0.1:${server.port}`;
  provider.register(Object.keys(providers).map((name) => `${url}/login/${name}`));
  const signIn: World['signIn'] = async (browser, { provider: name = 'generic_oauth', redirectTo } = {}) => {
    const query = redirectTo === undefined ? '' : `?redirectTo=${encodeURIComponent(redirectTo)}`;
    const back = (location: string): boolean => location.startsWith(`${url}/login/${name}?`);
    const answer = await browser.follow(`${url}/login/${name}${query}`, back);
    return browser.visit(answer.location);
  };
  return {
    server,
    provider,
    url,
    signIn,
    signInAs: async (subject, claims, signInOptions) => {
      provider.people.set(subject, claims);
      provider.signsIn = subject;
      const browser = new Browser();
      const page = await signIn(browser, signInOptions);
      return { browser, page, caller: await callerOf(browser, url) };
    },
    close: async () => {
      await server.close();
      await provider.close();
    },
  };
}

export async function callerOf(browser: Browser, url: string): Promise<SignedIn['caller']> {
  const { status, text } = await browser.visit(`${url}/whoami`);
  return status === 200 ? (JSON.parse(text) as Readonly<Record<string, unknown>>) : undefined;
}

export function oneWorld(title: string, suite: (world: () => World) => void, options?: WorldOptions): void {
  onOneStore(title, (backend) => openWorld(backend, options), suite);
}

export function eachWorld(title: string, suite: (world: () => World) => void, options?: WorldOptions): void {
  onEachStore(title, (backend) => openWorld(backend, options), suite);
}
