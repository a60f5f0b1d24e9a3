import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Backend } from '../../storage/backend.js';
import { type AuthnOptions, type AuthnServer, openAuthnServer } from '../authn/harness.js';
import { onOneStore } from '../harness/stores.js';
import { Browser, type Page } from './browser.js';
import { closed, listen } from './openid-provider.js';
import { settingsFor } from './world.js';

/** An answer of the provider: JSON, or a function that writes the response. */
export type FakeAnswer = unknown | ((response: ServerResponse, request: Asked) => void);

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly form: URLSearchParams;
}

/** A provider with the answers of a test, and a server that trusts it. */
export interface FakeWorld {
  readonly server: AuthnServer;
  readonly url: string;
  readonly providerUrl: string;
  /** By path: `/token`, `/me`. Other paths are not found. */
  readonly answers: Map<string, FakeAnswer>;
  readonly asked: Asked[];
  /** Begins a sign-in, and returns the query for the provider. */
  begin(browser: Browser, name?: string): Promise<URLSearchParams>;
  /** Comes back from the provider, with this query. */
  back(browser: Browser, query: Readonly<Record<string, string>>, name?: string): Promise<Page>;
  /** Does both in a new browser. `answers` are set in between, when the nonce is known. */
  signIn(name: string, answers?: (asked: URLSearchParams) => Readonly<Record<string, FakeAnswer>>): Promise<FakeSignIn>;
  close(): Promise<void>;
}

export interface FakeSignIn {
  readonly browser: Browser;
  readonly page: Page;
}

export type Providers = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Starts a provider with the answers of a test. */
export async function fakeProvider() {
  const answers = new Map<string, FakeAnswer>();
  const asked: Asked[] = [];
  const { server, url } = await listen(answering(answers, asked));
  return { url, answers, asked, close: () => closed(server) };
}

async function openFake(
  backend: Backend,
  providers: Providers,
  options: AuthnOptions,
  api: string,
): Promise<FakeWorld> {
  const provider = await fakeProvider();
  const { answers, asked } = provider;
  const argv = Object.entries(providers).flatMap(([name, own]) =>
    Object.entries({ ...settingsFor(provider.url), api_url: `${provider.url}${api}`, ...own }).map(
      ([key, value]) => `--auth.${name}.${key}=${value}`,
    ),
  );
  const server = await openAuthnServer(backend, { ...options, argv: [...argv, ...(options.argv ?? [])] });
  const url = `http://127.0.0.1:${server.port}`;
  const begin: FakeWorld['begin'] = async (browser, name = 'generic_oauth') =>
    new URL((await browser.visit(`${url}/login/${name}`)).location).searchParams;
  const back: FakeWorld['back'] = (browser, query, name = 'generic_oauth') =>
    browser.visit(`${url}/login/${name}?${new URLSearchParams(query)}`);
  return {
    server,
    url,
    providerUrl: provider.url,
    answers,
    asked,
    begin,
    back,
    signIn: async (name, made = () => ({})) => {
      const browser = new Browser();
      const wanted = await begin(browser, name);
      for (const [path, answer] of Object.entries(made(wanted))) answers.set(path, answer);
      const page = await back(browser, { code: 'the-code', state: wanted.get('state') ?? '' }, name);
      return { browser, page };
    },
    close: async () => {
      await server.close();
      await provider.close();
    },
  };
}

function answering(answers: ReadonlyMap<string, FakeAnswer>, asked: Asked[]): RequestListener {
  return async (request, response) => {
    const { pathname: path, searchParams: query } = new URL(request.url ?? '', 'http://provider');
    let body = '';
    for await (const piece of request) body += String(piece);
    const one = {
      method: request.method ?? '',
      path,
      query,
      headers: request.headers,
      form: new URLSearchParams(body),
    };
    asked.push(one);
    const answer = answers.get(path);
    if (typeof answer === 'function') return void answer(response, one);
    response.setHeader('content-type', 'application/json');
    if (answer === undefined) response.statusCode = 404;
    response.end(JSON.stringify(answer ?? { message: 'Not Found' }));
  };
}

export function oneFakeWorld(
  title: string,
  providers: Providers,
  suite: (world: () => FakeWorld) => void,
  options: AuthnOptions = {},
  /** The path of the user address. */
  api = '/me',
): void {
  onOneStore(title, (backend) => openFake(backend, providers, options, api), suite);
}

/** The answer to a code, without an ID token. */
export const ACCESS = { access_token: 'the-access-token', token_type: 'Bearer', expires_in: 3600 };

/** The code of the failure of a sign-in. */
export const failedWith = ({ location }: Page): string | null => new URL(location).searchParams.get('error');
