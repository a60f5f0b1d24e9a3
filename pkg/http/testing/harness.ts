import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import http2 from 'node:http2';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { certificateAuthenticator } from '../../identity/authn/certificate.js';
import { type Authenticate, authenticatorChain } from '../../identity/authn/chain.js';
import { staticTokenAuthenticator } from '../../identity/authn/static-token.js';
import { ensurePki, type Pki } from '../../identity/certs/pki.js';
import { TrustedProxies } from '../../system/net/proxies.js';
import { App, type AppLimits } from '../app.js';
import type { AuditTrail } from '../audit/trail.js';
import { type ConnectionLimits, Connections } from '../connections.js';
import type { Handler } from '../handler.js';
import type { HostCheck } from '../middleware/host-guard.js';
import type { Impersonation } from '../middleware/impersonate.js';
import type { Mount } from '../mounts.js';
import { handle } from '../router.js';
import { HttpServer } from '../server.js';

export const LIMITS: AppLimits = {
  maxInFlight: 8,
  maxMutatingInFlight: 4,
  maxWatches: 20,
  maxQueued: 100,
  requestTimeout: 20_000,
  bodyBytes: 1_000,
  yamlBytes: 500,
};

/** The defaults of the settings. */
const CONNECTIONS: ConnectionLimits = { max: 10_000, anonymousIdle: 10_000 };

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
}

/** A server on free ports with real certificates, and clients for it. */
export interface TestServer {
  readonly pki: Pki;
  readonly server: HttpServer;
  readonly app: App;
  readonly connections: Connections;
  readonly httpPort: number;
  readonly httpsPort: number;
  readonly logged: string[];
  close(): Promise<void>;
}

let shared: Promise<Pki> | undefined;

async function makePki(): Promise<Pki> {
  const dir = await mkdtemp(join(tmpdir(), 'http-pki-'));
  try {
    return await ensurePki({ dir, names: [], clock: () => new Date() });
  } finally {
    await rm(dir, { recursive: true });
  }
}

export const testPki = (): Promise<Pki> => {
  shared ??= makePki();
  return shared;
};

const TESTER = { name: 'tester', uid: '', groups: [], extra: {} };

const authenticate = authenticatorChain({
  authenticators: [certificateAuthenticator(), staticTokenAuthenticator(() => 'token', TESTER)],
  anonymous: false,
});

export async function startServer(
  handler: Handler,
  options: {
    readonly limits?: Partial<AppLimits>;
    readonly mounts?: readonly Mount[];
    readonly impersonation?: Impersonation;
    readonly isOurHost?: HostCheck;
    readonly trustedProxies?: readonly string[];
    readonly authenticate?: Authenticate;
    readonly audit?: AuditTrail;
    readonly livenessInterval?: number;
    readonly connections?: Partial<ConnectionLimits>;
  } = {},
): Promise<TestServer> {
  const pki = await testPki();
  const logged: string[] = [];
  const log = pino({ level: 'debug' }, { write: (line: string) => void logged.push(line) });
  const app = new App({
    endpoints: [
      {
        mounts: [
          { prefix: '/apis', isResourceApi: true },
          { prefix: '/open', isPublic: true },
          ...(options.mounts ?? []),
        ],
        middleware: handle(handler),
      },
    ],
    authenticate: options.authenticate ?? authenticate,
    limits: { ...LIMITS, ...options.limits },
    audit: options.audit,
    ...(options.isOurHost && { isOurHost: options.isOurHost }),
    ...(options.trustedProxies && { trustedProxies: new TrustedProxies(options.trustedProxies) }),
    ...(options.impersonation && { impersonation: options.impersonation }),
    log,
  });
  const address = { host: '127.0.0.1', port: 0 };
  const tls = { certificate: pki.server.certificate, key: pki.server.key, clientCa: pki.ca };
  const onAcceptError = (err: Error): void => log.error({ err }, 'accept');
  const { livenessInterval, trustedProxies } = options;
  const proxies = trustedProxies && new TrustedProxies(trustedProxies);
  const connections = new Connections({ ...CONNECTIONS, ...options.connections }, proxies);
  const server = new HttpServer({
    app,
    http: address,
    https: address,
    tls,
    connections,
    onAcceptError,
    livenessInterval,
  });
  const { http: plain, https: secure } = await server.listen();
  const ports = { httpPort: plain?.port ?? 0, httpsPort: secure?.port ?? 0 };
  return { pki, server, app, connections, ...ports, logged, close: () => server.close(500) };
}

export const AUTHORIZED = { authorization: 'Bearer token' };

export interface Ask {
  readonly method?: string;
  /** Each of several values is sent as a line of its own. */
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: Buffer | string;
}

const collect = async (source: AsyncIterable<Buffer>): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of source) chunks.push(chunk);
  return Buffer.concat(chunks);
};

/** HTTP/1.1, over TLS unless `plain`. */
export function ask1(
  { httpPort, httpsPort, pki }: TestServer,
  path: string,
  { method = 'GET', headers = AUTHORIZED, body }: Ask = {},
  tls: https.RequestOptions | 'plain' = {},
): Promise<Answer> {
  const common = { host: '127.0.0.1', path, method, headers, agent: false as const };
  return new Promise((resolve, reject) => {
    const request =
      tls === 'plain'
        ? http.request({ ...common, port: httpPort })
        : https.request({ ...common, port: httpsPort, ca: pki.ca, ...tls });
    request.on('error', reject);
    request.on('response', (response) => {
      const answer = (bytes: Buffer): Answer => ({
        status: response.statusCode ?? 0,
        headers: response.headers as Answer['headers'],
        body: bytes,
      });
      collect(response).then((bytes) => resolve(answer(bytes)), reject);
    });
    request.end(body);
  });
}

export async function connect2({ httpsPort, pki }: TestServer, tls: object = {}): Promise<http2.ClientHttp2Session> {
  const session = http2.connect(`https://127.0.0.1:${httpsPort}`, { ca: pki.ca, ...tls });
  session.on('error', () => undefined);
  await new Promise((resolve, reject) => {
    session.once('connect', resolve);
    session.once('error', reject);
  });
  return session;
}

export function ask2(
  session: http2.ClientHttp2Session,
  path: string,
  { method = 'GET', headers = AUTHORIZED, body }: Ask = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const stream = session.request({ ':path': path, ':method': method, ...headers }, { endStream: body === undefined });
    stream.on('error', reject);
    stream.on('response', (answered) => {
      const answer = (bytes: Buffer): Answer => ({
        status: Number(answered[':status']),
        headers: answered as unknown as Answer['headers'],
        body: bytes,
      });
      collect(stream).then((bytes) => resolve(answer(bytes)), reject);
    });
    if (body !== undefined) stream.end(body);
  });
}

/** Waits until it holds; a test that never gets there fails by mocha's own limit. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 2));
}

export interface Gate {
  readonly opened: Promise<void>;
  readonly open: () => void;
}

export function gate(): Gate {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}
