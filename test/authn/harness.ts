import http from 'node:http';
import https from 'node:https';
import { pino } from 'pino';
import { type IdentityServices, identityServices } from '../../apis/authentication/services.js';
import { type ServiceAccountTokens, serviceAccountTokens } from '../../apis/authentication/tokens.js';
import { impersonating } from '../../apis/authorization/impersonation.js';
import type { ResourceName } from '../../apis/iam/names.js';
import { composeIdentity, type Identity } from '../../cmd/apiserver/identity.js';
import { sharedRoutes } from '../../cmd/apiserver/legacy-api.js';
import { openResourceApi, type RunningResourceApi } from '../../cmd/apiserver/resource-api.js';
import { hashPassword } from '../../pkg/authn/password.js';
import { PasswordQueue } from '../../pkg/authn/password-queue.js';
import type { Pki } from '../../pkg/certs/pki.js';
import { loadConfig } from '../../pkg/config/load.js';
import { App } from '../../pkg/http/app.js';
import { jsonResponse } from '../../pkg/http/json.js';
import { HttpServer } from '../../pkg/http/server.js';
import { testPki } from '../../pkg/http/testing/harness.js';
import type { KubeObject } from '../../pkg/meta/types.js';
import { renderLegacyError } from '../../registry/legacy/errors.js';
import type { Backend } from '../../storage/backend.js';
import { ENVIRONMENT } from '../harness/server.js';
import { openOrSkip, STORES } from '../harness/stores.js';

export const ADMIN_TOKEN = 'admin-token-of-the-tests-0123456789';
export const AS_ADMIN = { authorization: `Bearer ${ADMIN_TOKEN}` };
/** Fast enough to be hashed often. */
const CHEAP = { ln: 4, r: 8, p: 1 };

export interface Answer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
  /** The body as JSON. */
  readonly json: Readonly<Record<string, unknown>>;
  /** Name and value of each Set-Cookie. */
  readonly cookies: Readonly<Record<string, string>>;
}

export interface Ask {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Bytes go as they are, anything else as JSON. */
  readonly body?: unknown;
  readonly secure?: boolean;
  /** Comes with the administrator's client certificate, over HTTPS. */
  readonly asAdmin?: boolean;
}

/** A server with its doors open, callers and all, on one store. `/whoami` and `/api/whoami` tell who is asking. */
export interface AuthnServer {
  readonly api: RunningResourceApi;
  readonly services: IdentityServices;
  readonly identity: Identity;
  readonly tokens: ServiceAccountTokens;
  readonly port: number;
  advance(milliseconds: number): void;
  ask(path: string, ask?: Ask): Promise<Answer>;
  create(plural: ResourceName, name: string, spec: unknown, namespace?: string): Promise<KubeObject>;
  patch(plural: ResourceName, name: string, spec: object, namespace?: string): Promise<KubeObject>;
  /** A user with a membership in `default` and a password. */
  user(name: string, spec?: object, password?: string): Promise<void>;
  setPassword(uid: string, password: string): Promise<void>;
  close(): Promise<void>;
}

const ask =
  (ports: { readonly http: number; readonly https: number }, { ca, admin }: Pki) =>
  (
    path: string,
    { method = 'GET', headers = {}, body, asAdmin = false, secure = asAdmin }: Ask = {},
  ): Promise<Answer> => {
    const options = { host: '127.0.0.1', path, method, headers: { ...headers }, agent: false as const };
    const client = asAdmin ? { cert: admin.certificate, key: admin.key } : {};
    return new Promise((resolve, reject) => {
      const request = secure
        ? https.request({ ...options, port: ports.https, ca, ...client })
        : http.request({ ...options, port: ports.http });
      request.on('error', reject);
      request.on('response', async (response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of response) chunks.push(chunk as Buffer);
        resolve(answerOf(response, Buffer.concat(chunks).toString('utf8')));
      });
      request.end(body === undefined || body instanceof Uint8Array ? body : JSON.stringify(body));
    });
  };

function answerOf({ statusCode = 0, headers }: http.IncomingMessage, text: string): Answer {
  const cookies = (headers['set-cookie'] ?? []).map((cookie) => (cookie.split(';')[0] ?? '').split('='));
  return {
    status: statusCode,
    headers,
    text,
    cookies: Object.fromEntries(cookies.map(([name = '', value = '']) => [name, value])),
    get json() {
      return JSON.parse(text) as Answer['json'];
    },
  };
}

export interface AuthnOptions {
  /** As on the command line. */
  readonly argv?: readonly string[];
}

/** Owns the backend: `close` closes it, too. */
export async function openAuthnServer(backend: Backend, { argv = [] }: AuthnOptions = {}): Promise<AuthnServer> {
  let ahead = 0;
  const clock = { now: () => Date.now() + ahead };
  const { settings } = loadConfig({ argv, env: {}, readFile: () => '' });
  const onError = (error: unknown, what: string): void => void process.stderr.write(`${what}: ${String(error)}\n`);
  const { domain } = ENVIRONMENT;
  const administrator = async () => ({
    login: 'admin',
    email: 'admin@localhost',
    hash: await hashPassword('admin', CHEAP),
  });
  const api = await openResourceApi({
    backend,
    environment: ENVIRONMENT,
    version: '0.0.0-test',
    history: 300_000,
    administrator,
    clock,
    onError,
  });
  const services = identityServices(api.registry, domain);
  const queue = new PasswordQueue();
  const wrap: Parameters<typeof composeIdentity>[0]['impersonating'] = (handler) =>
    impersonating(handler, api.registry, domain);
  const identity = await composeIdentity({
    settings,
    adminToken: ADMIN_TOKEN,
    services,
    queue,
    impersonating: wrap,
    onError,
  });
  const pki = await testPki();
  const app = new App({
    routes: [
      ...identity.routes,
      { prefix: '/apis', handler: api.handler, isResourceApi: true },
      ...sharedRoutes(api, ENVIRONMENT, identity.accounts),
      { prefix: '/whoami', handler: async (request) => jsonResponse(request, 200, request.user) },
      {
        prefix: '/api/whoami',
        handler: async (request) => jsonResponse(request, 200, request.user),
        renderError: renderLegacyError,
      },
    ],
    authenticate: identity.authenticate,
    limits: { maxInFlight: 100, maxMutatingInFlight: 100, maxWatches: 100, requestTimeout: 20_000, bodyBytes: 100_000 },
    log: pino({ level: 'silent' }),
  });
  const address = { host: '127.0.0.1', port: 0 };
  const tls = { certificate: pki.server.certificate, key: pki.server.key, clientCa: pki.ca };
  const server = new HttpServer({ app, http: address, https: address, tls });
  const listening = await server.listen();
  const ports = { http: listening.http?.port ?? 0, https: listening.https?.port ?? 0 };
  return {
    api,
    services,
    identity,
    tokens: serviceAccountTokens(services),
    port: ports.http,
    advance: (milliseconds) => {
      ahead += milliseconds;
    },
    ask: ask(ports, pki),
    ...writesOf(services),
    close: async () => {
      await server.close(500);
      await identity.close();
      await api.close();
      await backend.close();
    },
  };
}

function writesOf(services: IdentityServices): Pick<AuthnServer, 'create' | 'patch' | 'user' | 'setPassword'> {
  const create: AuthnServer['create'] = (plural, name, spec, namespace) =>
    services.objects(plural, namespace).create({ metadata: { name }, spec });
  const cheap = async (uid: string, password: string): Promise<void> => {
    const spec = { hash: await hashPassword(password, CHEAP) };
    const credentials = services.objects('credentials');
    if (credentials.find(uid) === undefined) await create('credentials', uid, spec);
    else await credentials.update(uid, (old) => ({ ...old, spec }));
  };
  return {
    create,
    patch: (plural, name, spec, namespace) =>
      services
        .objects(plural, namespace)
        .update(name, (old) => ({ ...old, spec: { ...(old.spec as object), ...spec } })),
    user: async (name, spec = {}, password) => {
      const full = { login: name, email: `${name}@example.com`, name: '', disabled: false, grafanaAdmin: false };
      await create('users', name, { ...full, ...spec });
      await create('organizationbindings', name, { userRef: { name }, role: 'Viewer' }, 'default');
      if (password !== undefined) await cheap(name, password);
    },
    setPassword: cheap,
  };
}

export const basic = (login: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`,
});
export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** Runs a suite on every store. */
export function onStores(title: string, suite: (server: () => AuthnServer) => void, options?: AuthnOptions): void {
  for (const store of STORES) {
    describe(`${title} (${store})`, () => {
      let server: AuthnServer | undefined;
      before(async function openFresh() {
        this.timeout(120_000);
        server = await openAuthnServer(await openOrSkip(this, store), options);
      });
      after(() => server?.close());
      suite(() => {
        if (server === undefined) throw new Error('the server is not open yet');
        return server;
      });
    });
  }
}
