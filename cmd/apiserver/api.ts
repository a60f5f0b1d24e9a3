import type { Logger } from 'pino';
import { directory } from '../../apis/authentication/directory.js';
import type { SyncReport } from '../../apis/authentication/ldap/sync.js';
import { type IdentityServices, identityServices } from '../../apis/authentication/services.js';
import { authorizeMetrics } from '../../apis/authorization/answers.js';
import { impersonation } from '../../apis/authorization/impersonation.js';
import type { ApisEnvironment } from '../../apis/environment.js';
import { ldapProviders } from '../../apis/iam/ssosetting/directories.js';
import { signOnProviders } from '../../apis/iam/ssosetting/providers.js';
import type { Operation } from '../../apis/system/administration.js';
import type { Config } from '../../pkg/config/load.js';
import type { Settings } from '../../pkg/config/schema.js';
import type { AuditTrail } from '../../pkg/http/audit/trail.js';
import { type Check, NotReady } from '../../pkg/http/health.js';
import type { Metrics } from '../../pkg/http/metrics/metrics.js';
import type { Impersonation } from '../../pkg/http/middleware/impersonate.js';
import { type Endpoints, pathsOf } from '../../pkg/http/router.js';
import type { Authenticate } from '../../pkg/identity/authn/chain.js';
import { failedSignIns } from '../../pkg/identity/authn/failed-sign-ins.js';
import { PasswordQueue } from '../../pkg/identity/authn/password-queue.js';
import type { UserInfo } from '../../pkg/identity/authn/user.js';
import { sealer } from '../../pkg/identity/crypto/seal.js';
import { seldom } from '../../pkg/system/log/seldom.js';
import type { Registry } from '../../registry/kinds/registry.js';
import type { Backend } from '../../storage/backend.js';
import { isStorageError } from '../../storage/errors.js';
import { adapterEndpoints } from './adapters.js';
import { firstAdministrator, weakPassword } from './administrator.js';
import { auditFile } from './audit.js';
import { objectsFolder } from './data-folder.js';
import { observation } from './database-monitor.js';
import { retentionOf, servingEnvironment } from './environment.js';
import { composeIdentity } from './identity.js';
import { type Keys, openKeys } from './keys.js';
import { mirrorMetrics } from './mirror-metrics.js';
import { type ObjectFiles, objectFiles } from './object-files.js';
import { type SharedPkiStore, sharedPkiStore } from './pki-store.js';
import { openResourceApi, type ResourceApiOptions, type RunningResourceApi } from './resource-api.js';
import { resourceEndpoints } from './resource-endpoints.js';
import { secretKey } from './secret-key.js';
import { startSecretRotation } from './secret-rotation.js';
import { secretStore } from './secret-store.js';
import { shownSettings } from './shown-settings.js';
import { enabledProviders, type SignOnSources } from './sign-on.js';
import type { StoreObserver } from './storage.js';
import { engineMetrics, storageMetrics } from './storage-metrics.js';
import type { ServerTracing } from './tracing.js';
import { productVersion } from './version.js';
import type { Host } from './workers/host.js';
import { writeSettings } from './write-limits.js';

export interface ApiDependencies {
  readonly config: Config;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly tracing: ServerTracing | undefined;
  /** Undefined: nothing is recorded. */
  readonly audit: AuditTrail | undefined;
  readonly clock: () => Date;
  readonly host: Host;
}

/** Everything behind the HTTP layer. */
export interface Api {
  readonly endpoints: readonly Endpoints[];
  /** The paths at which clients can begin, as they are now. */
  readonly paths: () => readonly string[];
  readonly authenticate: Authenticate;
  readonly impersonation: Impersonation;
  readonly keys: Keys;
  /**
   * Throws 401 or 403 for callers who may not read the metrics. It decides on the state of this server, because
   * Prometheus must be able to read metrics while the database does not answer.
   */
  readonly authorizeMetrics: (user: UserInfo) => void;
  /** The readiness checks by name. */
  readonly readyChecks: Readonly<Record<string, Check>>;
  /** Call this after the last request is answered. */
  close(): Promise<void>;
}

/** What the program does, and tests of its parts leave out. */
const WHOLE = { recordsEvents: true, keepsMirrors: true } as const;

/** Builds the store, caches, registry and handlers, in this order. */
export async function composeApi({ config, log, metrics, tracing, audit, clock, host }: ApiDependencies): Promise<Api> {
  const { settings } = config;
  const environment = servingEnvironment(settings);
  const observed = observation(settings, log, host);
  const warn = (message: string): void => log.warn(message);
  const first = firstAdministrator(settings);
  await secretKey(settings);
  const backend = await openStore(settings, host, { ...(host.isFirst && { warn }), ...observed }, tracing);
  const resources = await openResourceApi({
    backend,
    environment,
    version: productVersion(),
    history: settings.storage.history,
    writes: writeSettings(settings, metrics, log),
    recentBytes: settings.storage.recent_bytes,
    objects: keptObjects(settings, host, objectFiles(log, metrics)),
    retention: retentionOf(settings),
    administrator: first.make,
    allowsAnonymous: settings.auth.anonymous.enabled,
    acceptsMissing: settings.references.missing === 'wait',
    ...WHOLE,
    observer: engineMetrics(metrics),
    tracing: tracing?.storage,
    ...observed,
    onMigrated: (version, done) => log.info({ version, done }, 'the stored data is being brought to this version'),
  });
  const { registry } = resources;
  const services = identityServices(registry, environment.domain);
  // Told before anything else can fail, because only the hash is stored.
  const welcome = await first.secure(services, directory(services));
  if (welcome !== undefined) host.tell(welcome);
  showResources(metrics, resources, observed);
  // The store comes first, because servers that share a database keep their certificate authority in it.
  const ownsStore = settings.storage.backend === 'embedded';
  const authority = ownsStore ? undefined : databasePki(settings, resources);
  // A first start makes certificates, and reads them again a moment later. The same warning is then left out.
  const warnOnce = host.isFirst ? seldom(warn, Date.now) : () => undefined;
  const own = await host.exclusively(() => openKeys({ settings, clock, store: authority, warn: warnOnce }));
  const keys: Keys = { ...own, renew: () => host.exclusively(() => own.renew()) };
  const identity = await composeIdentity({
    settings,
    operator: keys.operator,
    services,
    queue: new PasswordQueue(),
    signOn: signOnSources(registry, environment, settings),
    onError: observed.onError,
    warn,
    ...signInRecords({ log, audit }, resources, services),
  });
  const stopRotation = ownsStore && host.isFirst ? rotateSecrets(settings, resources, observed.onError) : undefined;
  if (host.isFirst) await warnOfWeakPassword(settings, warn);
  const legacy = adapterEndpoints(registry, environment, identity.accounts, operationOf(settings));
  const close = async (): Promise<void> => {
    await stopRotation?.();
    await identity.close();
    await resources.close();
    await backend.close();
  };
  return {
    endpoints: [resourceEndpoints(resources, settings.limits.apply_bytes), ...identity.endpoints, ...legacy],
    paths: () => [...resources.paths(), ...pathsOf([...identity.endpoints, ...legacy])],
    authenticate: identity.authenticate,
    impersonation: impersonation(registry, environment.domain),
    authorizeMetrics: (user) => authorizeMetrics(registry, user),
    keys,
    readyChecks: readyChecksOf(resources),
    close,
  };
}

type Observed = Parameters<typeof storageMetrics>[1];

function showResources(
  metrics: Metrics,
  resources: RunningResourceApi,
  observed: Omit<Observed, keyof RunningResourceApi>,
): void {
  storageMetrics(metrics, { ...resources, ...observed });
  mirrorMetrics(metrics, resources.mirrors);
}

async function warnOfWeakPassword(settings: Settings, warn: (message: string) => void): Promise<void> {
  const weak = await weakPassword(settings);
  if (weak !== undefined) warn(weak);
}

/** Where this process keeps objects. */
function keptObjects(settings: Settings, { objects }: Host, observer: ObjectFiles): ResourceApiOptions['objects'] {
  // The disk of a database is not the one of the folder.
  const reserve = settings.storage.backend === 'embedded' ? settings.storage.reserve : 0;
  return objects && { path: objectsFolder(settings), isShared: objects === 'shared', reserve, ...observer };
}

function signInRecords(
  { log, audit }: Pick<ApiDependencies, 'log' | 'audit'>,
  { isElected }: RunningResourceApi,
  { now }: IdentityServices,
) {
  const onFailedSignIn = failedSignIns((failure) => log.info(failure, 'a sign-in failed'), now);
  return { onFailedSignIn, isElected, onSync: syncLog(log), audit };
}

/** Logs what a synchronization with the directory has changed, and warns of what it could not do. */
function syncLog(log: Logger): (report: SyncReport) => void {
  return ({ problems, failed, ...report }) => {
    const level = problems.length + failed.length + report.kept.length > 0 ? 'warn' : 'info';
    const reasons = { failures: failed.slice(0, 20), problems: problems.slice(0, 20) };
    log[level]({ ...report, failed: failed.length, ...reasons }, 'people were synchronized with LDAP');
  };
}

function signOnSources(registry: Registry, environment: ApisEnvironment, settings: Settings): SignOnSources {
  const stored = signOnProviders(registry.reader, environment);
  const providers = enabledProviders(stored);
  return { providers, ldap: ldapProviders(stored), sealer: async () => sealer(await secretKey(settings)) };
}

/** The settings and the audit log, as administrators can read them. */
function operationOf(settings: Settings): Operation {
  return { settings: shownSettings(settings), auditFile: auditFile(settings) };
}

async function openStore(
  settings: Settings,
  host: Host,
  observer: StoreObserver,
  tracing: ServerTracing | undefined,
): Promise<Backend> {
  const backend = await host.openBackend(settings, observer);
  return tracing?.storage.backend(backend) ?? backend;
}

/** The secret key is read each time, because it may be rotated. */
function databasePki(settings: Settings, { registry }: RunningResourceApi): SharedPkiStore {
  return sharedPkiStore(registry, async () => sealer(await secretKey(settings)));
}

function rotateSecrets(
  settings: Settings,
  { registry }: RunningResourceApi,
  onError: (error: unknown, what: string) => void,
): () => Promise<void> {
  const secrets = secretStore(registry, async () => sealer(await secretKey(settings)));
  return startSecretRotation({
    settings,
    secrets,
    onError: (error) => onError(error, 'the secrets in the store are not encrypted under security.secret_key'),
  });
}

/** Milliseconds in which a ready store answers. */
const READY_WITHIN = 3000;

function readyChecksOf(resources: RunningResourceApi): Api['readyChecks'] {
  return {
    storage: storageCheck(resources),
    disk: () => diskCheck(resources),
    objects: () => objectsCheck(resources),
  };
}

function storageCheck({ ready }: RunningResourceApi): Check {
  return async () => {
    const signal = AbortSignal.timeout(READY_WITHIN);
    try {
      await ready(signal);
    } catch (cause) {
      throw new NotReady(whyNotReady(cause, signal.aborted), { cause });
    }
  };
}

/** What every caller may know. The text of the error may name addresses. */
function whyNotReady(error: unknown, isLate: boolean): string {
  if (isLate) return `the store has not answered within ${READY_WITHIN} ms`;
  if (!isStorageError(error)) return 'the store fails; the log has the reason';
  return error.code === 'closed' ? 'the store is closed' : 'the store cannot be reached; the log has the reason';
}

/** Nothing is lost, but the log of the store grows as long as its objects do not follow. */
function objectsCheck({ materializer }: RunningResourceApi): void {
  const cause = materializer.failure();
  if (cause === undefined) return;
  throw new NotReady('the objects of the store have not followed its log for a minute; the log has the reason', {
    cause,
  });
}

/**
 * Ordinary writes are refused, so the server is not ready for them. Who wants to send it reads and deletions
 * nevertheless excludes this check.
 */
function diskCheck({ disk }: RunningResourceApi): void {
  const shortage = disk?.shortage();
  if (shortage === undefined) return;
  const forAll = disk?.shortageForAll();
  const why =
    forAll === undefined
      ? 'the store has less free space than its reserve, so only deletions and administrators may write'
      : 'the store has less free space than half of its reserve, so only deletions may write';
  throw new NotReady(why, { cause: new Error(forAll ?? shortage) });
}
