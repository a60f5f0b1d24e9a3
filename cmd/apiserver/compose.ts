import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Config } from '../../pkg/config/load.js';
import type { Settings } from '../../pkg/config/schema.js';
import { consoleEndpoints } from '../../pkg/console/endpoints.js';
import { documentationEndpoints } from '../../pkg/documentation/endpoints.js';
import { App, type AppOptions } from '../../pkg/http/app.js';
import { Connections } from '../../pkg/http/connections.js';
import { NotReady } from '../../pkg/http/health.js';
import { createMetrics, type Metrics } from '../../pkg/http/metrics/metrics.js';
import { type HostCheck, hostCheck } from '../../pkg/http/middleware/host-guard.js';
import { rootPath } from '../../pkg/http/root-path.js';
import { type Endpoints, pathsOf } from '../../pkg/http/router.js';
import { HttpServer, type Listening } from '../../pkg/http/server.js';
import { writeKubeconfig } from '../../pkg/identity/certs/kubeconfig.js';
import { createLogger } from '../../pkg/system/log/logger.js';
import { seldom } from '../../pkg/system/log/seldom.js';
import { isLoopback } from '../../pkg/system/net/address.js';
import { type TrustedProxies, trustedProxies } from '../../pkg/system/net/proxies.js';
import { type Api, composeApi } from './api.js';
import { openAudit } from './audit.js';
import { endsWithin } from './bounded.js';
import { prepareDataFolder } from './data-folder.js';
import { exposedFiles } from './exposed-files.js';
import { frontEndpoints, unknownPath } from './front.js';
import { type OwnRoutes, ownEndpoints } from './own-routes.js';
import { startRenewal } from './renewal.js';
import { showConnections, showFlows } from './serving-metrics.js';
import { type Tls, WILDCARDS } from './tls.js';
import { openTracing } from './tracing.js';
import { ALONE, type Host } from './workers/host.js';

/** A server that is listening. */
export interface Running {
  readonly listening: Listening;
  readonly kubeconfig: string | undefined;
  readonly log: Logger;
  /**
   * Goes on for `server.shutdown_delay`, refuses new connections, lets requests finish, and closes the store. Later
   * calls wait for the first.
   */
  close(): Promise<void>;
}

/**
 * Milliseconds for requests to finish, and for the store to close. Together they are less than the 30 s that Kubernetes
 * gives a process to end.
 */
const DRAIN_BOUND = 10_000;
const CLOSE_BOUND = 4_000;
/** Milliseconds in which all servers take new certificate authorities. */
const SETTLE = 1_000;

/**
 * Builds all objects by hand, and listens: configuration, log, store, certificates, handlers, ports. Rejects with an
 * error for the operator.
 */
export async function compose(
  config: Config,
  version: string,
  host: Host = ALONE,
  clock = () => new Date(),
): Promise<Running> {
  const { settings } = config;
  prepareDataFolder(settings);
  const log = createLogger(settings.log);
  if (host.isFirst) for (const warning of config.warnings) log.warn(warning);
  const metrics = createMetrics(host);
  const audit = await openAudit({ settings, log, metrics, target: host.auditTarget });
  const tracing = await openTracing(settings, version, log);
  const api = await composeApi({ config, log, metrics, tracing, audit: audit.trail, clock, host });
  const { keys } = api;
  if (host.isFirst) for (const problem of await exposedFiles(settings.paths.data)) log.warn(problem);
  let isDraining = false;
  const notDraining = (): void => {
    if (isDraining) throw new NotReady('the server is shutting down');
  };
  const readyChecks = { shutdown: notDraining, ...api.readyChecks };
  const onFailure = healthLog(log);
  const proxies = trustedProxies(settings.server.trusted_proxies);
  const app = new App({
    endpoints: endpointsOf(api, {
      settings,
      version,
      metrics,
      authorizeMetrics: api.authorizeMetrics,
      readyChecks,
      onFailure,
    }),
    authenticate: api.authenticate,
    impersonation: api.impersonation,
    audit: audit.trail,
    limits: limitsOf(settings),
    ...addressesOf(settings),
    trustedProxies: proxies,
    log,
    observe: metrics.requests.observe,
    flowObserver: metrics.flows,
    tracing: tracing?.middleware,
  });
  showFlows(metrics, app);
  const connections = connectionsOf(settings, metrics, proxies);
  const server = new HttpServer({ app, connections, ...portsOf(settings, log), tls: keys.tls().material });
  const listening = await server.listen().catch(async (error: unknown) => {
    await api.close();
    throw error;
  });
  const publish = (tls: Tls) => host.exclusively(() => publishKubeconfig(settings, listening, tls));
  const kubeconfig = await publish(keys.tls());
  let known = keys.tls().pki.ca;
  const use = async (tls: Tls): Promise<void> => {
    server.renew(tls.material);
    server.endConnections((certificate) => !keys.operator.accepts(certificate));
    const { ca } = tls.pki;
    // Other servers may not have the new authorities yet, and the old kubeconfig is still valid.
    if (ca !== known) await sleep(SETTLE, undefined, { ref: false });
    await publish(tls);
    known = ca;
  };
  const onError = (err: unknown): void => log.error({ err }, 'the certificates could not be renewed');
  const stopRenewal = startRenewal({ keys, use, onError });
  const close = async (): Promise<void> => {
    isDraining = true;
    stopRenewal();
    await server.close(DRAIN_BOUND, settings.server.shutdown_delay);
    await ended(log, tracing?.close(), CLOSE_BOUND / 2, 'the last traces are not sent');
    // Nothing is lost: acknowledged writes are durable, and what the server holds in the store expires.
    await ended(log, api.close(), CLOSE_BOUND, 'the store does not answer, so it is not closed');
    // Jobs of the server write to it until they end.
    await ended(log, audit.close(), CLOSE_BOUND / 2, 'the end of the audit log is not written');
  };
  return { listening, kubeconfig, log, close: once(close) };
}

/** Load balancers ask all the time, so each check that fails is logged once a minute. */
function healthLog(log: Logger): (check: string, error: unknown) => void {
  const failed = (check: string, err: unknown): void => log.warn({ check, err }, 'a health check failed');
  return seldom(failed, () => performance.now());
}

/** Waits for the end of a part. If that fails or takes too long, the other parts must still be closed. */
async function ended(log: Logger, work: Promise<unknown> | undefined, bound: number, problem: string): Promise<void> {
  try {
    if (!(await endsWithin(work ?? Promise.resolve(), bound))) log.warn(problem);
  } catch (err) {
    log.error({ err }, problem);
  }
}

/** Later calls wait for the first. */
function once(work: () => Promise<void>): () => Promise<void> {
  let first: Promise<void> | undefined;
  return () => {
    first ??= work();
    return first;
  };
}

/** The endpoints: both APIs, the routes about the server itself, and the pages for people. */
function endpointsOf(
  { endpoints, paths }: Api,
  routes: OwnRoutes & { readonly settings: Settings },
): readonly Endpoints[] {
  const { settings } = routes;
  const root = rootPath(settings.server.root_url);
  const console = settings.console.enabled ? [consoleEndpoints(root)] : [];
  const own = [ownEndpoints(routes), documentationEndpoints(root), ...console];
  return [...endpoints, ...own, frontEndpoints(settings, () => [...paths(), ...pathsOf(own)])];
}

/** Which names of the server are taken, and what is answered at paths that do not exist. */
function addressesOf(settings: Settings): Pick<AppOptions, 'isOurHost' | 'renderUnknown'> {
  return { renderUnknown: unknownPath(settings), ...hostsOf(settings) };
}

/** The names of the server are known on loopback only. */
function hostsOf({ server }: Settings): { readonly isOurHost?: HostCheck } {
  if (!isLoopback(server.http_addr)) return {};
  const root = server.root_url === undefined ? [] : [new URL(server.root_url).hostname];
  return { isOurHost: hostCheck([...server.cert_names, ...root]) };
}

const limitsOf = ({ limits }: Settings) => ({
  maxInFlight: limits.max_in_flight,
  maxMutatingInFlight: limits.max_mutating_in_flight,
  maxWatches: limits.max_watches,
  maxQueued: limits.max_queued,
  requestTimeout: limits.request_timeout,
  bodyBytes: limits.body_bytes,
  yamlBytes: limits.yaml_bytes,
});

function connectionsOf({ limits }: Settings, metrics: Metrics, proxies: TrustedProxies | undefined): Connections {
  const connections = new Connections({ max: limits.max_connections, anonymousIdle: limits.anonymous_idle }, proxies);
  showConnections(metrics, connections);
  return connections;
}

const portsOf = ({ server }: Settings, log: Logger) => ({
  http: { host: server.http_addr, port: server.http_port },
  https: { host: server.https_addr, port: server.https_port },
  onAcceptError: (err: unknown): void => log.error({ err }, 'a connection could not be accepted'),
});

/**
 * Writes the kubeconfig when the port is known. It has an address that this machine can reach. Without HTTPS there is
 * none.
 */
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

/** Prefers a name to an address, because names change less often. */
function httpsUrl({ server }: Settings, port: number): string {
  const isReachedByName = WILDCARDS.has(server.https_addr) || server.https_addr === '127.0.0.1';
  const host = isReachedByName ? (server.cert_names[0] ?? 'localhost') : server.https_addr;
  return `https://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
