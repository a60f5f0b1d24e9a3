import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freshIdentities, hearing } from '../../apis/authentication/fresh.js';
import { identityServices } from '../../apis/authentication/services.js';
import { authorizeMetrics } from '../../apis/authorization/answers.js';
import { impersonation } from '../../apis/authorization/impersonation.js';
import type { Features as AllFeatures, ApisEnvironment, ScimEnvironment } from '../../apis/environment.js';
import { ACCESS, kinds } from '../../apis/kinds.js';
import { type Accounts, accountsOf } from '../../cmd/apiserver/accounts.js';
import { adapterEndpoints } from '../../cmd/apiserver/adapters.js';
import { type OwnRoutes, ownEndpoints } from '../../cmd/apiserver/own-routes.js';
import { openResourceApi, type ResourceApiOptions, type RunningResourceApi } from '../../cmd/apiserver/resource-api.js';
import { resourceEndpoints } from '../../cmd/apiserver/resource-endpoints.js';
import type { WriteSettings } from '../../cmd/apiserver/write-limits.js';
import type { AuditTrail } from '../../pkg/http/audit/trail.js';
import type { Endpoints } from '../../pkg/http/router.js';
import type { Credentials } from '../../pkg/identity/authn/authenticator.js';
import { PasswordQueue } from '../../pkg/identity/authn/password-queue.js';
import { MASTERS_GROUP, type UserInfo } from '../../pkg/identity/authn/user.js';
import { unauthorized } from '../../pkg/kube/status/errors.js';
import type { Kind, KindEnvironment } from '../../registry/kinds/kind.js';
import type { Registry } from '../../registry/kinds/registry.js';
import { DEFAULT_RETENTION, type Retention } from '../../registry/kinds/retention.js';
import { freezeObjects } from '../../registry/read/reader.js';
import type { Backend } from '../../storage/backend.js';
import type { CheckpointLimits } from '../../storage/tables/work/checkpointer.js';
import type { Answer } from './answer.js';
import { DISCARDING } from './audit-log.js';
import { clientOf } from './client.js';
import { startHttpStack } from './http-stack.js';

freezeObjects();

export const ADMIN: UserInfo = { name: 'admin', uid: 'uid-admin', groups: [MASTERS_GROUP], extra: {} };

export const ENVIRONMENT: ApisEnvironment = {
  domain: 'svc.app',
  access: ACCESS,
  features: { nestedFolders: true, alerting: true, queryHistory: true, maxFolderDepth: 4 },
  compatibility: 'specification',
  passwords: { minLength: 4, refusesCommon: true },
  signOn: { configured: {}, secretKey: () => 'the secret key of the tests' },
  queryHistoryRetention: 14 * 24 * 3_600_000,
};

/** The settings that the server returns. */
export const PUBLIC_SETTINGS = { server: { http_port: '3000' }, security: { admin_password: '*********' } };

export interface CallOptions {
  /** Strings and bytes are sent unchanged, and other values as JSON. */
  readonly body?: unknown;
  /** Lower-case names. */
  readonly headers?: Readonly<Record<string, string>>;
  /** `null` sends no credentials. */
  readonly user?: UserInfo | null;
  /** Added to the query of the path. */
  readonly query?: Readonly<Record<string, string | number | boolean>>;
}

/**
 * Both APIs on one store, called over HTTP through the stack of the program. Only authentication is replaced: tests
 * name the caller.
 */
export interface Server {
  readonly api: RunningResourceApi;
  /** The wall clock of the server. */
  readonly clock: TestClock;
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  /** The address for other programs, and the header with which they are the administrator. */
  address(): Address;
  /** Closes the server, and opens another one on the same data. With `compact`, the log is deleted between. */
  restart(options?: RestartOptions): Promise<void>;
  /** The end of the log. It is the same as long as nothing is written. */
  end(): Promise<number>;
  close(): Promise<void>;
}

export interface RestartOptions {
  readonly compact?: boolean;
  readonly features?: Features;
  /** Called while no server runs. */
  readonly between?: () => void;
}

export interface Address {
  readonly port: number;
  readonly headers: Readonly<Record<string, string>>;
}

export interface TestClock {
  now(): number;
  advance(milliseconds: number): void;
}

function testClock(): TestClock {
  let ahead = 0;
  return {
    now: () => Date.now() + ahead,
    advance: (milliseconds) => {
      ahead += milliseconds;
    },
  };
}

export type Features = Partial<AllFeatures>;

export interface ServerOptions {
  readonly features?: Features;
  readonly compatibility?: ApisEnvironment['compatibility'];
  /** The settings of SCIM that differ from the defaults. */
  readonly scim?: Partial<ScimEnvironment>;
  /** Internal addresses that webhooks may have. */
  readonly webhookNetworks?: readonly string[];
  /** Milliseconds that answers of conversion webhooks may be old. The default is 0. */
  readonly conversionAge?: number;
  /** Internal addresses that stored sign-on providers may have. */
  readonly providerNetworks?: readonly string[];
  /** Members that differ from the defaults. */
  readonly retention?: Partial<Retention>;
  /** Kinds that are served in addition to those of `apis`. */
  readonly moreKinds?: (environment: KindEnvironment) => readonly Kind[];
  /** The default is false, because an event would move the end of the log. */
  readonly recordsEvents?: boolean;
  /** Whether mirrors are kept. The default is false, because they write their status. */
  readonly keepsMirrors?: boolean;
  /** Whether objects may name objects that do not exist yet. The default is true. */
  readonly acceptsMissing?: boolean;
  /** Whether callers without credentials are Viewers of the first organization. The default is false. */
  readonly allowsAnonymous?: boolean;
  /** How many bytes users may write, and how much of the disk stays free. Without it, there is no bound. */
  readonly writes?: WriteSettings | undefined;
  /** What is served beside both APIs. */
  readonly moreEndpoints?: readonly Endpoints[];
  /** By default, everything is recorded, and dropped. */
  readonly audit?: AuditTrail;
  /** Members that differ from the defaults. A folder that is given here stays after the end of the server. */
  readonly objects?: ResourceApiOptions['objects'] | undefined;
  /** The most bytes that recent changes keep alive. */
  readonly recentBytes?: number | undefined;
}

/** The server owns the backend. Its `close` also closes the backend. */
export async function openServer(backend: Backend, options: ServerOptions = {}): Promise<Server> {
  const {
    features = {},
    compatibility = ENVIRONMENT.compatibility,
    moreKinds = () => [],
    retention = {},
    recordsEvents = false,
    keepsMirrors = false,
    acceptsMissing = true,
    allowsAnonymous = false,
    moreEndpoints = [],
    audit = DISCARDING,
    webhookNetworks = [],
    scim = {},
    conversionAge = 0,
    providerNetworks = [],
    writes,
    objects,
    recentBytes,
  } = options;
  const clock = testClock();
  const start = (features: Features): Promise<Process> =>
    startProcess(backend, clock, {
      features,
      compatibility,
      moreKinds,
      retention,
      recordsEvents,
      keepsMirrors,
      acceptsMissing,
      allowsAnonymous,
      moreEndpoints,
      audit,
      webhookNetworks,
      scim,
      conversionAge,
      providerNetworks,
      writes,
      objects,
      recentBytes,
    });
  let running = await start(features);
  let chosen = features;
  return {
    get api() {
      return running.api;
    },
    clock,
    call: (method, path, options = {}) => running.call(method, path, options),
    address: () => running.address(),
    restart: async ({ compact = false, features: others = chosen, between } = {}) => {
      await running.close();
      between?.();
      chosen = others;
      if (compact) await backend.compact(await backend.end());
      running = await start(chosen);
    },
    end: () => backend.end(),
    close: async () => {
      await running.close();
      await backend.close();
    },
  };
}

/** The memory of one process. */
interface Process {
  readonly api: RunningResourceApi;
  readonly call: Server['call'];
  readonly address: Server['address'];
  close(): Promise<void>;
}

async function startProcess(
  backend: Backend,
  clock: TestClock,
  {
    features,
    compatibility,
    moreKinds,
    retention,
    recordsEvents,
    keepsMirrors,
    acceptsMissing,
    allowsAnonymous,
    moreEndpoints,
    audit,
    webhookNetworks,
    scim,
    conversionAge,
    providerNetworks,
    writes,
    objects,
    recentBytes,
  }: Required<ServerOptions>,
): Promise<Process> {
  const allFeatures = { ...ENVIRONMENT.features, ...features };
  const signOn = { ...ENVIRONMENT.signOn, networks: providerNetworks };
  const settings = { manualChanges: 'warn', defaultRole: 'Viewer', groupRoles: new Map(), ...scim } as const;
  const more = { compatibility, scim: settings };
  const environment = { ...ENVIRONMENT, ...more, webhookNetworks, conversionAge, signOn, features: allFeatures };
  const folder = objects === undefined ? await mkdtemp(join(tmpdir(), 'objects-')) : undefined;
  const api = await openResourceApi({
    backend,
    environment,
    objects: objects ?? { path: folder as string, limits: EAGER },
    kinds: kinds(environment, moreKinds(environment)),
    clock,
    retention: { ...DEFAULT_RETENTION, ...retention },
    // The renewal of a lease would move the end of the log.
    alone: true,
    recordsEvents,
    keepsMirrors,
    acceptsMissing,
    allowsAnonymous,
    writes,
    ...(recentBytes !== undefined && { recentBytes }),
    version: '0.0.0-test',
    history: 300_000,
    onError: (error, what) => void process.stderr.write(`${what}: ${String(error)}\n`),
  });
  const accounts = accountsFor(api, environment);
  const legacy = adapterEndpoints(api.registry, environment, accounts, { settings: PUBLIC_SETTINGS });
  const endpoints = [resourceEndpoints(api), ...legacy, ownRoutes(api), ...moreEndpoints];
  const listening = await listen(api.registry, endpoints, audit);
  return {
    api,
    call: listening.call,
    address: listening.address,
    close: async () => {
      await listening.close();
      await api.close();
      if (folder !== undefined) await rm(folder, { recursive: true });
    },
  };
}

/** The own routes of the server, with empty metrics. */
export function ownRoutes({ registry }: Pick<RunningResourceApi, 'registry'>): Endpoints {
  return ownEndpoints({
    settings: { api: { domain: ENVIRONMENT.domain } } as OwnRoutes['settings'],
    version: '0.0.0-test',
    metrics: {
      handler: () => ({ status: 200, headers: { 'content-type': 'text/plain' }, body: Buffer.from('up 1\n') }),
      recent: async () => ({ seconds: 10, slots: [] }),
    },
    authorizeMetrics: (user) => authorizeMetrics(registry, user),
    readyChecks: {},
    onFailure: (check, error) => void process.stderr.write(`${check}: ${String(error)}\n`),
  });
}

/** Objects are soon written into files, so that tests read them from there. */
const EAGER: CheckpointLimits = { bytes: 1, age: 60_000, interval: 1000 };

/** Serves endpoints over HTTP through the stack of the program. */
export async function listen(
  registry: Registry,
  endpoints: readonly Endpoints[],
  audit = DISCARDING,
): Promise<Pick<Process, 'call' | 'address' | 'close'>> {
  const callers = namedCallers();
  // As in the program, a caller is looked up on a shared store only after all acknowledged commits have arrived.
  const others = hearing(identityServices(registry, ENVIRONMENT.domain));
  const authenticate = freshIdentities(callers.authenticate, others);
  const stack = await startHttpStack({
    endpoints,
    authenticate,
    impersonation: impersonation(registry, ENVIRONMENT.domain),
    audit,
  });
  const client = clientOf(stack.http);
  return {
    call: async (method, path, { user = ADMIN, headers = {}, query = {}, body } = {}) => {
      const credentials = user === null ? {} : callers.credentialsOf(user);
      const message = {
        method,
        path: withQuery(path, query),
        headers: { ...headers, ...credentials },
        body: bytesOf(body),
      };
      return client.send(message, () => stack.failures.at(-1) ?? '');
    },
    address: () => ({ port: stack.http, headers: callers.credentialsOf(ADMIN) }),
    close: async () => {
      client.close();
      await stack.close();
    },
  };
}

/** Authenticates requests as any caller. A header has the number of the caller. */
function namedCallers() {
  const callers: UserInfo[] = [];
  const numbers = new Map<UserInfo, number>();
  const numberOf = (user: UserInfo): number => {
    const number = numbers.get(user) ?? callers.push(user) - 1;
    numbers.set(user, number);
    return number;
  };
  return {
    credentialsOf: (user: UserInfo) => ({ authorization: `Test ${numberOf(user)}` }),
    authenticate: ({ authorization = '' }: Credentials): UserInfo => {
      const user = callers[Number(authorization.replace('Test ', '') || -1)];
      if (user === undefined) throw unauthorized();
      return user;
    },
  };
}

function withQuery(path: string, query: NonNullable<CallOptions['query']>): string {
  const texts = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]);
  const more = new URLSearchParams(texts).toString();
  if (more === '') return path;
  return `${path}${path.includes('?') ? '&' : '?'}${more}`;
}

function bytesOf(body: unknown): Uint8Array | undefined {
  if (body === undefined || body instanceof Uint8Array) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

/** Accounts with cheap password hashes and the default lifetimes of sessions. */
export function accountsFor({ registry }: RunningResourceApi, { domain }: KindEnvironment): Accounts {
  const limits = { maxInactive: 7 * DAY, maxLifetime: 30 * DAY, rotateAfter: 600_000 };
  const services = identityServices(registry, domain);
  const hashing = new PasswordQueue({ maxWaiting: 500, maxWaitingEach: 500, parameters: CHEAP });
  return accountsOf({ services, queue: new PasswordQueue(), hashing, limits, rootUrl: undefined });
}

const DAY = 86_400_000;
const CHEAP = { ln: 4, r: 8, p: 1 };
