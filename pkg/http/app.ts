import Koa from 'koa';
import type { Logger } from 'pino';
import type { Authenticate } from '../identity/authn/chain.js';
import { pathNotFound } from '../kube/status/errors.js';
import type { ApiError } from '../kube/status/status.js';
import { LiveList } from '../system/collections/live-list.js';
import type { TrustedProxies } from '../system/net/proxies.js';
import type { AuditTrail } from './audit/trail.js';
import type { ErrorRenderer } from './errors.js';
import type { FlowObserver } from './flowcontrol/flow-control.js';
import { excessOf, MOST_IDLE } from './idle-requests.js';
import { accessLog, type Observe } from './middleware/access-log.js';
import { audit } from './middleware/audit.js';
import { authenticate } from './middleware/authenticate.js';
import { body, discardUnreadBody } from './middleware/body.js';
import { compress } from './middleware/compress.js';
import { deadline } from './middleware/deadline.js';
import { decodeLargeBody } from './middleware/decode-ahead.js';
import { errors } from './middleware/errors.js';
import { type HostCheck, hostGuard } from './middleware/host-guard.js';
import { type Impersonation, impersonate } from './middleware/impersonate.js';
import { type InFlight, inFlight, inFlightOf } from './middleware/in-flight.js';
import { pendingAnswers } from './middleware/pending-answers.js';
import { requestContext } from './middleware/request-context.js';
import { requestTarget } from './middleware/request-target.js';
import { responses, SHUTTING_DOWN } from './middleware/responses.js';
import { mountTable } from './mounts.js';
import { type Context, compose, type Done, type Middleware, type Pipeline } from './pipeline.js';
import type { RequestState } from './request.js';
import type { Endpoints } from './router.js';
import { StalledResponses } from './stalled.js';

export interface AppLimits {
  readonly maxInFlight: number;
  readonly maxMutatingInFlight: number;
  readonly maxWatches: number;
  /** The maximum for each class: reads, and writes. */
  readonly maxQueued: number;
  /** Milliseconds. */
  readonly requestTimeout: number;
  readonly bodyBytes: number;
  readonly yamlBytes: number;
  /** Milliseconds in which a client must take something; 30 s by default. */
  readonly stallTimeout?: number;
  /** The most bytes of whole answers that clients have not taken; 256 MiB by default. */
  readonly pendingBytes?: number;
  /** The most requests together that wait for their clients; 2,000 by default. */
  readonly idleRequests?: number;
}

export interface AppOptions {
  /** The endpoints, in the order in which they are asked. */
  readonly endpoints: readonly Endpoints[];
  /** How failures are worded at paths that belong to no endpoints; by default as a Kubernetes Status. */
  readonly renderUnknown?: ErrorRenderer | undefined;
  readonly authenticate: Authenticate;
  readonly impersonation?: Impersonation;
  /** Without it, there is no audit log. */
  readonly audit?: AuditTrail | undefined;
  readonly limits: AppLimits;
  readonly log: Logger;
  readonly observe?: Observe;
  readonly tracing?: Middleware | undefined;
  readonly flowObserver?: FlowObserver;
  /** Checks requests over plain HTTP. Without it every name is taken. */
  readonly isOurHost?: HostCheck;
  /**
   * The proxies whose headers about their clients are believed. Without them, the other end of a connection is the
   * client.
   */
  readonly trustedProxies?: TrustedProxies | undefined;
}

/** The types of Koa do not have `compose` yet. */
const KOA = { proxy: false, compose };
const STALL_TIMEOUT = 30_000;
/** Milliseconds between checks for watches whose credentials have ended, and for clients that take nothing. */
const LOOK_EVERY = 1_000;

/** The Koa application of both protocols, and the requests that it is serving. */
export class App extends Koa<RequestState> {
  readonly inFlight: InFlight;
  readonly #live = new LiveList<Context>();
  readonly #log: Logger;
  readonly #audit: AuditTrail | undefined;
  readonly #logged = new WeakSet<Error>();
  readonly #stalled: StalledResponses;
  readonly #looking: NodeJS.Timeout;
  readonly #mostIdle: number;
  #isLeaving = false;
  #isDraining = false;

  constructor(options: AppOptions) {
    super(KOA);
    const { limits, log } = options;
    const stallTimeout = limits.stallTimeout ?? STALL_TIMEOUT;
    this.inFlight = inFlightOf(limits, options.flowObserver);
    this.#log = log;
    this.#audit = options.audit;
    this.#stalled = new StalledResponses(stallTimeout);
    this.#mostIdle = limits.idleRequests ?? MOST_IDLE;
    this.#looking = setInterval(() => this.#look(), Math.min(LOOK_EVERY, stallTimeout)).unref();
    // Koa reads `#` and `\` in a path in another way than handlers.
    Object.defineProperty(this.request, 'path', {
      get(this: { readonly ctx: Context }) {
        return this.ctx.state.path;
      },
    });
    this.on('error', (error: Error, ctx: Context) => this.#logCutOff(error, ctx));
    for (const middleware of this.#middlewares(options)) this.use(middleware);
  }

  /** In the order in which a request passes them. */
  #middlewares({ endpoints, limits, log, ...options }: AppOptions): readonly Middleware[] {
    return [
      requestContext(mountTable(endpoints.flatMap(({ mounts }) => mounts)), this.#live, options.trustedProxies),
      accessLog(log, options.observe),
      ...(options.tracing === undefined ? [] : [options.tracing]),
      discardUnreadBody,
      responses({
        isLeaving: () => this.#isLeaving,
        isDraining: () => this.#isDraining,
        idleTimeout: limits.requestTimeout,
      }),
      ...(options.audit === undefined ? [] : [audit(options.audit)]),
      errors(log, this.inFlight, options.renderUnknown),
      requestTarget,
      ...(options.isOurHost === undefined ? [] : [hostGuard(options.isOurHost)]),
      deadline(limits.requestTimeout),
      authenticate(options.authenticate),
      body(limits),
      ...(options.impersonation === undefined ? [] : [impersonate(options.impersonation)]),
      inFlight(this.inFlight),
      decodeLargeBody(this.inFlight),
      compress,
      pendingAnswers(limits.pendingBytes),
      ...endpoints.map(({ middleware }) => middleware),
      notFound,
    ];
  }

  /**
   * `callback()` calls this for every request of HTTP/1.1 and HTTP/2. Koa's own would also watch the end of each
   * response, to send `ctx.body` and to learn of errors. `responses` and `requestContext` do that here, and the
   * difference is 8 % of the CPU of a get.
   */
  handleRequest(ctx: Context, middlewares: Pipeline): Done {
    try {
      return middlewares(ctx)?.catch((error: Error) => ctx.onerror(error));
    } catch (error) {
      ctx.onerror(error as Error);
      return undefined;
    }
  }

  /** Requests whose responses are not sent yet, watches included. */
  get active(): number {
    return this.#live.size;
  }

  /** Requests are served as before, but clients of HTTP/1.1 are asked to send the next one on another connection. */
  beginLeave(): void {
    this.#isLeaving = true;
  }

  /** Watches end, other requests go on; HTTP/1.1 clients are asked to leave. */
  beginDrain(): void {
    this.#isLeaving = true;
    this.#isDraining = true;
    for (const { state } of this.#live) state.endWatch(SHUTTING_DOWN);
  }

  abortAll(): void {
    for (const { res, state } of this.#live) {
      state.abort(new Error(SHUTTING_DOWN));
      res.destroy();
    }
  }

  /**
   * After the last response. The timer would keep everything that the application refers to for as long as the process
   * lives.
   */
  close(): void {
    clearInterval(this.#looking);
  }

  /** Records that a client was refused whose request could not be read. */
  unreadable(answer: ApiError, remoteAddress = ''): void {
    this.#audit?.unreadable(answer, remoteAddress);
  }

  #look(): void {
    for (const ctx of this.#live) {
      this.#stalled.check(ctx);
      const { user, watch } = ctx.state;
      // Ends the watches of revoked tokens and disabled users.
      if (watch !== undefined && user.stillValid?.() === false)
        ctx.state.endWatch('the credential does not count any more');
    }
    if (this.#live.size <= this.#mostIdle) return;
    for (const { res } of excessOf(this.#live, this.#mostIdle)) res.destroy();
  }

  /** Logs that a response was cut off, unless its client did it. Koa reports some errors twice. */
  #logCutOff(error: Error, { state }: Context): void {
    if (isOfClient(error) || this.#logged.has(error)) return;
    this.#logged.add(error);
    this.#log.error({ err: error, auditId: state.auditId }, 'a response was cut off');
  }
}

function notFound(): never {
  throw pathNotFound();
}

function isOfClient({ code = '' }: NodeJS.ErrnoException): boolean {
  return code.startsWith('HPE_') || code === 'ECONNRESET' || code === 'EPIPE' || code === 'ERR_STREAM_PREMATURE_CLOSE';
}
