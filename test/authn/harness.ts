import http from 'node:http';
import https from 'node:https';
import type { SyncReport } from '../../apis/authentication/ldap/sync.js';
import { type IdentityServices, identityServices } from '../../apis/authentication/services.js';
import { type ServiceAccountTokens, serviceAccountTokens } from '../../apis/authentication/tokens.js';
import { impersonation } from '../../apis/authorization/impersonation.js';
import { ldapProviders } from '../../apis/iam/ssosetting/directories.js';
import { signOnProviders } from '../../apis/iam/ssosetting/providers.js';
import { kinds } from '../../apis/kinds.js';
import { adapterEndpoints } from '../../cmd/apiserver/adapters.js';
import { environmentOf } from '../../cmd/apiserver/environment.js';
import { composeIdentity, type Identity } from '../../cmd/apiserver/identity.js';
import { openResourceApi, type RunningResourceApi } from '../../cmd/apiserver/resource-api.js';
import { resourceEndpoints } from '../../cmd/apiserver/resource-endpoints.js';
import { enabledProviders } from '../../cmd/apiserver/sign-on.js';
import { loadConfig } from '../../pkg/config/load.js';
import type { AuditTrail } from '../../pkg/http/audit/trail.js';
import { jsonResponse } from '../../pkg/http/json.js';
import { type Endpoints, handle } from '../../pkg/http/router.js';
import { testPki } from '../../pkg/http/testing/harness.js';
import { type FailedSignIn, failedSignIns } from '../../pkg/identity/authn/failed-sign-ins.js';
import { hashPassword } from '../../pkg/identity/authn/password.js';
import { PasswordQueue } from '../../pkg/identity/authn/password-queue.js';
import type { Pki } from '../../pkg/identity/certs/pki.js';
import { sealer } from '../../pkg/identity/crypto/seal.js';
import type { KubeObject } from '../../pkg/kube/meta/types.js';
import { trustedProxies } from '../../pkg/system/net/proxies.js';
import type { Kind } from '../../registry/kinds/kind.js';
import type { ResourceName } from '../../registry/kinds/names.js';
import { renderLegacyError } from '../../registry/legacy/errors.js';
import type { Backend } from '../../storage/backend.js';
import { type HttpStack, startHttpStack } from '../harness/http-stack.js';
import { onOneStore } from '../harness/stores.js';

export const ADMIN_TOKEN = 'admin-token-of-the-tests-0123456789';
export const AS_ADMIN = { authorization: `Bearer ${ADMIN_TOKEN}` };
/** Parameters that make hashing fast. */
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
  /** Bytes are sent unchanged, and other values as JSON. */
  readonly body?: unknown;
  readonly secure?: boolean;
  /** Sends the request over HTTPS with the administrator's client certificate. */
  readonly asAdmin?: boolean;
}

/** A listening server with authentication, on one store. `/whoami` and `/api/whoami` return the caller. */
export interface AuthnServer {
  readonly api: RunningResourceApi;
  readonly services: IdentityServices;
  readonly identity: Identity;
  readonly tokens: ServiceAccountTokens;
  readonly port: number;
  /** The HTTPS port, which accepts the client certificates of `testPki`. */
  readonly securePort: number;
  /** The logged warnings, and the logged failures as JSON texts. */
  readonly warnings: readonly string[];
  readonly failures: readonly string[];
  /** The sign-ins that failed, as they are logged. */
  readonly failedSignIns: readonly FailedSignIn[];
  /** What synchronizations with the directory have done. */
  readonly syncs: readonly SyncReport[];
  advance(milliseconds: number): void;
  ask(path: string, ask?: Ask): Promise<Answer>;
  create(resource: ResourceName, name: string, spec: unknown, namespace?: string): Promise<KubeObject>;
  patch(resource: ResourceName, name: string, spec: object, namespace?: string): Promise<KubeObject>;
  /** A user with a membership in `default` and a password. */
  user(name: string, spec?: object, password?: string): Promise<void>;
  setPassword(uid: string, password: string): Promise<void>;
  close(): Promise<void>;
}

/** Connections that are kept alive: without TLS, with TLS, and with the administrator's client certificate. */
interface Agents {
  readonly plain: http.Agent;
  readonly secure: https.Agent;
  readonly administrator: https.Agent;
}

function agentsFor({ ca, admin }: Pki): Agents {
  return {
    plain: new http.Agent({ keepAlive: true }),
    secure: new https.Agent({ keepAlive: true, ca }),
    administrator: new https.Agent({ keepAlive: true, ca, cert: admin.certificate, key: admin.key }),
  };
}

const ask =
  (stack: HttpStack, { plain, secure: tls, administrator }: Agents) =>
  (
    path: string,
    { method = 'GET', headers = {}, body, asAdmin = false, secure = asAdmin }: Ask = {},
  ): Promise<Answer> => {
    const options = { host: '127.0.0.1', path, method, headers: { ...headers } };
    return new Promise((resolve, reject) => {
      const request = secure
        ? https.request({ ...options, port: stack.https, agent: asAdmin ? administrator : tls })
        : http.request({ ...options, port: stack.http, agent: plain });
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

const returnCaller = handle(async (request) => jsonResponse(request, 200, request.user));
const whoami: Endpoints = {
  mounts: [{ prefix: '/whoami' }, { prefix: '/api/whoami', renderError: renderLegacyError }],
  middleware: (ctx, next) => (ctx.state.path.endsWith('/whoami') ? returnCaller(ctx, next) : next()),
};

/** With this setting, servers of the tests do not read or write a key in a data folder. */
const SECRET_KEY = '--security.secret_key=the secret key of the tests';

export interface AuthnOptions {
  /** As on the command line. */
  readonly argv?: readonly string[];
  /** Kinds that are served beside those of `apis`. */
  readonly moreKinds?: readonly Kind[];
  readonly audit?: AuditTrail;
  /** Whether the clock of the server stops between calls of `advance`. */
  readonly isClockStopped?: boolean;
  /** Milliseconds for all requests of one sign-in to its provider, if not the default. */
  readonly patience?: number;
}

/** The server owns the backend. Its `close` also closes the backend. */
export async function openAuthnServer(
  backend: Backend,
  { argv = [], moreKinds = [], audit, isClockStopped = false, patience }: AuthnOptions = {},
): Promise<AuthnServer> {
  let ahead = 0;
  const warnings: string[] = [];
  const failed: FailedSignIn[] = [];
  const syncs: SyncReport[] = [];
  const begun = Date.now();
  const clock = { now: () => (isClockStopped ? begun : Date.now()) + ahead };
  const { settings } = loadConfig({ argv: [SECRET_KEY, ...argv], env: {}, readFile: () => '' });
  const onError = (error: unknown, what: string): void => void process.stderr.write(`${what}: ${String(error)}\n`);
  const environment = environmentOf(settings);
  const { domain } = environment;
  const administrator = async () => ({
    login: 'admin',
    email: 'admin@localhost',
    hash: await hashPassword('admin', CHEAP),
  });
  const api = await openResourceApi({
    backend,
    environment,
    kinds: kinds(environment, moreKinds),
    version: '0.0.0-test',
    history: 300_000,
    administrator,
    clock,
    onError,
  });
  const services = identityServices(api.registry, domain);
  const queue = new PasswordQueue();
  const identity = await composeIdentity({
    settings,
    operator: { token: () => ADMIN_TOKEN, accepts: () => true },
    services,
    queue,
    signOn: {
      providers: enabledProviders(signOnProviders(api.registry.reader, environment)),
      ldap: ldapProviders(signOnProviders(api.registry.reader, environment)),
      sealer: async () => sealer('the secret key of the tests'),
      ...(patience !== undefined && { patience }),
    },
    onError,
    warn: (message) => void warnings.push(message),
    onFailedSignIn: failedSignIns((failure) => void failed.push(failure), clock.now),
    isElected: api.isElected,
    audit,
    onSync: (report) => void syncs.push(report),
  });
  const stack = await startHttpStack({
    endpoints: [
      whoami,
      ...identity.endpoints,
      resourceEndpoints(api),
      ...adapterEndpoints(api.registry, environment, identity.accounts),
    ],
    impersonation: impersonation(api.registry, domain),
    authenticate: identity.authenticate,
    audit,
    isSecure: true,
    bodyBytes: 100_000,
    trustedProxies: trustedProxies(settings.server.trusted_proxies),
  });
  const agents = agentsFor(await testPki());
  return {
    api,
    services,
    identity,
    tokens: serviceAccountTokens(services),
    port: stack.http,
    securePort: stack.https,
    advance: (milliseconds) => {
      ahead += milliseconds;
    },
    warnings,
    failures: stack.failures,
    failedSignIns: failed,
    syncs,
    ask: ask(stack, agents),
    ...writesOf(services),
    close: async () => {
      for (const agent of Object.values(agents)) agent.destroy();
      await stack.close();
      await identity.close();
      await api.close();
      await backend.close();
    },
  };
}

function writesOf(services: IdentityServices): Pick<AuthnServer, 'create' | 'patch' | 'user' | 'setPassword'> {
  const create: AuthnServer['create'] = (resource, name, spec, namespace) =>
    services.objects(resource, namespace).create({ metadata: { name }, spec });
  const cheap = async (uid: string, password: string): Promise<void> => {
    const spec = { hash: await hashPassword(password, CHEAP) };
    const credentials = services.objects('internal/credentials');
    if (credentials.find(uid) === undefined) await create('internal/credentials', uid, spec);
    else await credentials.update(uid, (old) => ({ ...old, spec }));
  };
  return {
    create,
    patch: (resource, name, spec, namespace) =>
      services
        .objects(resource, namespace)
        .update(name, (old) => ({ ...old, spec: { ...(old.spec as object), ...spec } })),
    user: async (name, spec = {}, password) => {
      const full = { login: name, email: `${name}@example.com`, name: '', disabled: false, grafanaAdmin: false };
      await create('iam/users', name, { ...full, ...spec });
      await create('iam/organizationbindings', name, { userRef: { name }, role: 'Viewer' }, 'default');
      if (password !== undefined) await cheap(name, password);
    },
    setPassword: cheap,
  };
}

export const basic = (login: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`,
});
export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** Runs a suite on one store, because no store can break authentication. */
export function oneStore(title: string, suite: (server: () => AuthnServer) => void, options?: AuthnOptions): void {
  onOneStore(title, (backend) => openAuthnServer(backend, options), suite);
}
