import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Account, type Configuration, Provider } from 'oidc-provider';

export type PersonClaims = Readonly<Record<string, unknown>>;

/** An OpenID provider without passwords. `signsIn` is the subject of the person in front of the browser. */
export interface TestProvider {
  readonly url: string;
  /** The claims of people by their subject. */
  readonly people: Map<string, PersonClaims>;
  signsIn: string;
  /** The requests that it got, as `GET /path`. */
  readonly requests: readonly string[];
  /** Begins to serve a client with these redirect addresses. */
  register(redirectUris: readonly string[]): void;
  close(): Promise<void>;
}

export const CLIENT = { id: 'dashboards', secret: 'the-client-secret-of-the-tests-0123456789' };
const SCOPES = ['openid', 'email', 'profile', 'groups'];

/** Listens on a free port, so that the address is known before the client is. */
export async function openProvider(more: Partial<Configuration> = {}): Promise<TestProvider> {
  let answer: RequestListener = (_request, response) => void response.writeHead(503).end();
  const requests: string[] = [];
  const { server, url } = await listen((request, response) => {
    requests.push(`${request.method} ${(request.url ?? '').split('?')[0]}`);
    answer(request, response);
  });
  const test: TestProvider = {
    url,
    people: new Map(),
    signsIn: 'ada',
    requests,
    register: (redirectUris) => {
      answer = answers(test, { ...configuration(test, redirectUris), ...more });
    },
    close: () => closed(server),
  };
  return test;
}

export async function listen(listener: RequestListener): Promise<{ readonly server: Server; readonly url: string }> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

export function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}

function answers(test: TestProvider, configured: Configuration): RequestListener {
  const provider = new Provider(test.url, configured);
  const others = provider.callback();
  return (request, response) => {
    if (!isInteraction(request)) return void others(request, response);
    const result = { login: { accountId: test.signsIn } };
    void provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
  };
}

const isInteraction = ({ url = '' }: IncomingMessage): boolean => url.startsWith('/interaction/');

function configuration(test: TestProvider, redirectUris: readonly string[]): Configuration {
  return {
    clients: [{ client_id: CLIENT.id, client_secret: CLIENT.secret, redirect_uris: [...redirectUris] }],
    scopes: SCOPES,
    claims: {
      email: ['email', 'email_verified'],
      profile: ['name', 'preferred_username'],
      groups: ['groups', 'role', 'orgs'],
    },
    findAccount: (_context, sub) => accountOf(test, sub),
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    features: { devInteractions: { enabled: false } },
    cookies: { keys: ['of the tests'] },
    pkce: { required: () => true },
    ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    // Nobody is asked for consent.
    loadExistingGrant: async ({ oidc }) => {
      const { Grant } = oidc.provider;
      const grant = new Grant({ clientId: CLIENT.id, accountId: oidc.session?.accountId ?? '' });
      grant.addOIDCScope(SCOPES.join(' '));
      await grant.save();
      return grant;
    },
  };
}

function accountOf({ people }: TestProvider, sub: string): Account | undefined {
  const claims = people.get(sub);
  return claims && { accountId: sub, claims: () => ({ sub, ...claims }) };
}
