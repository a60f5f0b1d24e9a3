import { randomUUID } from 'node:crypto';
import { identityServices } from '../../apis/authentication/services.js';
import { kinds } from '../../apis/index.js';
import { type Accounts, accountsOf } from '../../cmd/apiserver/accounts.js';
import { sharedRoutes } from '../../cmd/apiserver/legacy-api.js';
import { openResourceApi, type RunningResourceApi } from '../../cmd/apiserver/resource-api.js';
import { PasswordQueue } from '../../pkg/authn/password-queue.js';
import { ANONYMOUS, MASTERS_GROUP, type UserInfo } from '../../pkg/authn/user.js';
import { asApiError, renderStatus } from '../../pkg/http/errors.js';
import type { ApiRequest } from '../../pkg/http/exchange.js';
import { type FindRoute, routeTable } from '../../pkg/http/routes.js';
import { unauthorized } from '../../pkg/status/errors.js';
import type { Kind, KindEnvironment } from '../../registry/kind.js';
import { freezeObjects } from '../../registry/reader.js';
import type { Backend } from '../../storage/backend.js';
import { type Answer, answerOf } from './answer.js';

freezeObjects();

export const ADMIN: UserInfo = { name: 'admin', uid: 'uid-admin', groups: [MASTERS_GROUP], extra: {} };

export const ENVIRONMENT: KindEnvironment = {
  domain: 'svc.app',
  features: { nestedFolders: true, alerting: true, queryHistory: true, maxFolderDepth: 4 },
};

/** The settings that the server shows. */
export const SHOWN = { server: { http_port: '3000' }, security: { admin_password: '*********' } };

export interface CallOptions {
  /** A string or bytes go as they are, anything else as JSON. */
  readonly body?: unknown;
  /** Lower-case names. */
  readonly headers?: Readonly<Record<string, string>>;
  /** `null`: without credentials, on a server that lets nobody in without. */
  readonly user?: UserInfo | null;
  /** Added to the query of the path. */
  readonly query?: Readonly<Record<string, string | number | boolean>>;
}

/** Both doors on one store, called without sockets. */
export interface Server {
  readonly api: RunningResourceApi;
  /** The wall clock that the server sees; `advance` moves it. */
  readonly clock: TestClock;
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  /** A new process on the same data; with `compact`, the log before it is gone. */
  restart(options?: { readonly compact?: boolean; readonly features?: Features }): Promise<void>;
  /** The end of the log: nothing was written as long as it stays. */
  end(): Promise<number>;
  close(): Promise<void>;
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

export type Features = Partial<KindEnvironment['features']>;

export interface ServerOptions {
  readonly features?: Features;
  /** Kinds that are served beside those of `apis`. */
  readonly moreKinds?: (environment: KindEnvironment) => readonly Kind[];
}

/** Owns the backend: `close` closes it, too. */
export async function openServer(backend: Backend, options: ServerOptions = {}): Promise<Server> {
  const { features = {}, moreKinds = () => [] } = options;
  const clock = testClock();
  const environmentWith = (chosen: Features) => ({ ...ENVIRONMENT, features: { ...ENVIRONMENT.features, ...chosen } });
  let environment = environmentWith(features);
  const open = (): Promise<RunningResourceApi> =>
    openResourceApi({
      backend,
      environment,
      kinds: [...kinds(environment), ...moreKinds(environment)],
      clock,
      // A lease that is renewed would move the end of the log.
      alone: true,
      version: '0.0.0-test',
      history: 300_000,
      onError: (error, what) => {
        process.stderr.write(`${what}: ${String(error)}\n`);
      },
    });
  const doorsOf = (opened: RunningResourceApi): FindRoute =>
    routeTable(sharedRoutes(opened, environment, accountsFor(opened, environment), SHOWN));
  let api = await open();
  let find = doorsOf(api);
  return {
    get api() {
      return api;
    },
    clock,
    call: (method, path, options = {}) => call(api, find, method, path, options),
    restart: async ({ compact = false, features: chosen } = {}) => {
      await api.close();
      if (chosen) environment = environmentWith(chosen);
      if (compact) await backend.compact(await backend.end());
      api = await open();
      find = doorsOf(api);
    },
    end: () => backend.end(),
    close: async () => {
      await api.close();
      await backend.close();
    },
  };
}

/** Passwords are hashed one at a time, sessions last as they do by default. */
export function accountsFor({ registry }: RunningResourceApi, { domain }: KindEnvironment): Accounts {
  const limits = { maxInactive: 7 * DAY, maxLifetime: 30 * DAY, rotateAfter: 600_000 };
  const services = identityServices(registry, domain);
  return accountsOf({ services, queue: new PasswordQueue(), limits, rootUrl: undefined });
}

const DAY = 86_400_000;

async function call(
  api: RunningResourceApi,
  find: FindRoute,
  method: string,
  path: string,
  options: CallOptions,
): Promise<Answer> {
  const controller = new AbortController();
  const request = requestOf(method, path, options, controller.signal);
  const close = (): void => controller.abort(new Error('the client is gone'));
  const route = find(request.path);
  try {
    if (options.user === null && route?.open !== true) throw unauthorized();
    const handler = route?.handler ?? api.handler;
    return await answerOf(await handler(request), undefined, close);
  } catch (error) {
    return answerOf((route?.renderError ?? renderStatus)(asApiError(error), request), error, close);
  }
}

function requestOf(method: string, path: string, options: CallOptions, signal: AbortSignal): ApiRequest {
  const [pathname = '', search = ''] = path.split('?');
  const query = new URLSearchParams(search);
  for (const [name, value] of Object.entries(options.query ?? {})) query.append(name, String(value));
  return {
    method,
    path: pathname,
    query,
    headers: options.headers ?? {},
    rawHeaders: Object.entries(options.headers ?? {}).flat(),
    body: bytesOf(options.body),
    user: options.user === null ? ANONYMOUS : (options.user ?? ADMIN),
    auditId: randomUUID(),
    signal,
  };
}

function bytesOf(body: unknown): Uint8Array {
  if (body === undefined) return new Uint8Array(0);
  if (body instanceof Uint8Array) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}
