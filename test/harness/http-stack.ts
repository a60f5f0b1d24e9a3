import { pino } from 'pino';
import { App } from '../../pkg/http/app.js';
import type { AuditTrail } from '../../pkg/http/audit/trail.js';
import { Connections } from '../../pkg/http/connections.js';
import type { Impersonation } from '../../pkg/http/middleware/impersonate.js';
import type { Endpoints } from '../../pkg/http/router.js';
import { HttpServer } from '../../pkg/http/server.js';
import { testPki } from '../../pkg/http/testing/harness.js';
import type { Authenticate } from '../../pkg/identity/authn/chain.js';
import type { TrustedProxies } from '../../pkg/system/net/proxies.js';

/** The HTTP stack of the program, listening on free ports of loopback. */
export interface HttpStack {
  readonly http: number;
  /** The port of HTTPS, or -1 unless `isSecure`. */
  readonly https: number;
  /** The logged failures, as JSON texts. */
  readonly failures: readonly string[];
  close(): Promise<void>;
}

export interface HttpStackOptions {
  readonly endpoints: readonly Endpoints[];
  readonly impersonation: Impersonation;
  readonly authenticate: Authenticate;
  readonly audit?: AuditTrail | undefined;
  readonly isSecure?: boolean;
  readonly bodyBytes?: number;
  readonly trustedProxies?: TrustedProxies | undefined;
}

const HOST = '127.0.0.1';
const LIMITS = {
  maxInFlight: 1000,
  maxMutatingInFlight: 1000,
  maxWatches: 1000,
  maxQueued: 1000,
  requestTimeout: 20_000,
  yamlBytes: 64 * 1024,
};
/** Milliseconds for requests to finish when the stack closes. */
const PATIENCE = 500;

export async function startHttpStack(options: HttpStackOptions): Promise<HttpStack> {
  const { isSecure = false, bodyBytes = 3 * 1024 * 1024 } = options;
  const failures: string[] = [];
  const log = pino({ level: 'error' }, { write: (line: string) => void failures.push(line) });
  const app = new App({ ...options, limits: { ...LIMITS, bodyBytes }, log });
  const { server, ca } = await testPki();
  const tls = { certificate: server.certificate, key: server.key, clientCa: ca };
  const https = { host: HOST, port: isSecure ? 0 : -1 };
  const listener = new HttpServer({
    connections: new Connections({ max: 10_000, anonymousIdle: 10_000 }),
    app,
    http: { host: HOST, port: 0 },
    https,
    tls,
    onAcceptError: (err) => log.error({ err }),
  });
  const listening = await listener.listen();
  return {
    http: listening.http?.port ?? -1,
    https: listening.https?.port ?? -1,
    failures,
    close: () => listener.close(PATIENCE),
  };
}
