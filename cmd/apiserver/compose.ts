import { resolve } from 'node:path';
import type { Logger } from 'pino';
import { isLoopback } from '../../pkg/authn/admin-password.js';
import { writeKubeconfig } from '../../pkg/certs/kubeconfig.js';
import type { Config } from '../../pkg/config/load.js';
import type { Settings } from '../../pkg/config/schema.js';
import { App } from '../../pkg/http/app.js';
import { type HostCheck, hostCheck } from '../../pkg/http/host.js';
import { HttpServer, type Listening } from '../../pkg/http/server.js';
import { createLogger } from '../../pkg/log/logger.js';
import { createMetrics } from '../../pkg/metrics/metrics.js';
import { type Api, composeApi } from './api.js';
import { endsWithin } from './bounded.js';
import { ownEndpoints } from './own-routes.js';
import { type Tls, WILDCARDS } from './tls.js';

/** A server that is listening. */
export interface Running {
  readonly listening: Listening;
  readonly kubeconfig: string | undefined;
  /** The administrator's password, when it was made up just now. */
  readonly newPassword: string | undefined;
  readonly log: Logger;
  /** Stops accepting, lets requests finish, closes the store. Again: waits for the same. */
  close(): Promise<void>;
}

/** For requests to finish, and then for the store to close; together less than the 30 s that Kubernetes gives a process to end. */
const DRAIN_BOUND = 10_000;
const CLOSE_BOUND = 4_000;
const DAY = 86_400_000;

/** The whole object graph, by hand: config → log → store, certificates and handlers → ports. Rejects with a sentence. */
export async function compose(config: Config, version: string, clock = () => new Date()): Promise<Running> {
  const { settings } = config;
  const log = createLogger(settings.log);
  for (const warning of config.warnings) log.warn(warning);
  const metrics = createMetrics();
  const api = await composeApi({ config, log, metrics, clock });
  const { tls } = api;
  let isDraining = false;
  const notDraining = (): void => {
    if (isDraining) throw new Error('the server is shutting down');
  };
  const readyChecks = { shutdown: notDraining, ...api.readyChecks };
  const onFailure = (check: string, err: unknown): void => log.warn({ check, err }, 'a health check failed');
  const app = new App({
    endpoints: [...api.endpoints, ownEndpoints({ settings, version, metrics, readyChecks, onFailure })],
    authenticate: api.authenticate,
    impersonation: api.impersonation,
    limits: limitsOf(settings),
    ...hostsOf(settings),
    log,
    observe: metrics.observeRequest,
  });
  metrics.gauge('apiserver_reads_in_flight', 'Reads being served.', () => app.inFlight.count('read'));
  metrics.gauge('apiserver_writes_in_flight', 'Writes being served.', () => app.inFlight.count('write'));
  metrics.gauge('apiserver_watches', 'Watches being served.', () => app.inFlight.count('watch'));
  const server = new HttpServer({ app, ...addressesOf(settings), tls: tls.material });
  const listening = await server.listen().catch(async (error: unknown) => {
    await api.close();
    throw error;
  });
  const kubeconfig = await publishKubeconfig(settings, listening, tls);
  const renewal = setInterval(() => renew(settings, listening, server, api, log), DAY).unref();
  const close = async (): Promise<void> => {
    isDraining = true;
    clearInterval(renewal);
    await server.close(DRAIN_BOUND);
    if (await endsWithin(api.close(), CLOSE_BOUND)) return;
    // Nothing is lost by that: what was acknowledged is durable, and a server that is gone holds nothing for long.
    log.warn('the store does not answer, so it is left without being closed');
  };
  let closing: Promise<void> | undefined;
  return {
    listening,
    kubeconfig,
    newPassword: api.newPassword,
    log,
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}

/** On another address than loopback there is no telling what name the server has. */
function hostsOf({ server }: Settings): { readonly isOurHost?: HostCheck } {
  if (!isLoopback(server.http_addr)) return {};
  const root = URL.canParse(server.root_url ?? '') ? [new URL(server.root_url ?? '').hostname] : [];
  return { isOurHost: hostCheck([...server.cert_names, ...root]) };
}

const limitsOf = ({ limits }: Settings) => ({
  maxInFlight: limits.max_in_flight,
  maxMutatingInFlight: limits.max_mutating_in_flight,
  maxWatches: limits.max_watches,
  requestTimeout: limits.request_timeout,
  bodyBytes: limits.body_bytes,
});

const addressesOf = ({ server }: Settings) => ({
  http: { host: server.http_addr, port: server.http_port },
  https: { host: server.https_addr, port: server.https_port },
});

/** Written when the port is known. It names an address this machine reaches; without HTTPS there is none. */
async function publishKubeconfig(settings: Settings, listening: Listening, tls: Tls): Promise<string | undefined> {
  if (listening.https === undefined) return undefined;
  const path = resolve(settings.paths.data, 'kubeconfig');
  const isOwn = settings.server.cert_file === undefined;
  await writeKubeconfig({
    path,
    server: httpsUrl(settings, listening.https.port),
    ca: isOwn ? tls.pki.ca : undefined,
    client: tls.pki.admin,
  });
  return path;
}

/** A name where it says the same as the address: names outlive addresses. */
function httpsUrl({ server }: Settings, port: number): string {
  const isReachedByName = WILDCARDS.has(server.https_addr) || server.https_addr === '127.0.0.1';
  const host = isReachedByName ? (server.cert_names[0] ?? 'localhost') : server.https_addr;
  return `https://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function renew(settings: Settings, listening: Listening, server: HttpServer, api: Api, log: Logger): void {
  const again = async (): Promise<void> => {
    const tls = await api.renewTls();
    server.renew(tls.material);
    await publishKubeconfig(settings, listening, tls);
  };
  again().catch((err: unknown) => log.error({ err }, 'the certificates could not be renewed'));
}
