import Koa from 'koa';
import type { Logger } from 'pino';
import type { Authenticate } from '../authn/chain.js';
import { badRequest, pathNotFound, timeout } from '../status/errors.js';
import type { ApiError } from '../status/status.js';
import { readBody } from './body.js';
import { Ending } from './ending.js';
import { asApiError, overloaded, renderStatus } from './errors.js';
import type { ApiResponse } from './exchange.js';
import { headersTooLarge } from './header-limit.js';
import { type HostCheck, misdirected } from './host.js';
import { InFlight, type Place } from './in-flight.js';
import { credentialsOf } from './peer.js';
import { Exchange } from './request.js';
import { respond } from './respond.js';
import { type FindRoute, type Route, routeTable } from './routes.js';
import type { Incoming, Outgoing } from './wire.js';

export interface AppLimits {
  readonly maxInFlight: number;
  readonly maxMutatingInFlight: number;
  readonly maxWatches: number;
  /** Milliseconds. */
  readonly requestTimeout: number;
  readonly bodyBytes: number;
  /** Milliseconds in which a client must take something; 30 s unless told. */
  readonly stallTimeout?: number;
}

/** Told of every request once it is answered, or its client is gone. */
export type Observe = (method: string, route: string, status: number, seconds: number) => void;

export interface AppOptions {
  readonly routes: readonly Route[];
  readonly authenticate: Authenticate;
  readonly limits: AppLimits;
  readonly log: Logger;
  readonly observe?: Observe;
  /** Of requests over plain HTTP. Without it every name is taken. */
  readonly isOurHost?: HostCheck;
}

const STALL_TIMEOUT = 30_000;
const CLIENT_GONE = 499;
/** Milliseconds between looks at callers whose credentials do not count any more, and at clients that take nothing. */
const LOOK_EVERY = 1_000;

const TOO_LATE = 'Timeout: request did not complete within the allotted timeout';
const SHUTTING_DOWN = 'the server is shutting down';

const swallow = (): void => undefined;

/** What stands between the sockets and the handlers. The only place that knows Koa. */
export class App {
  readonly inFlight: InFlight;
  readonly #active = new Set<Exchange>();
  readonly #options: AppOptions;
  readonly #find: FindRoute;
  readonly #stallTimeout: number;
  readonly #ending: Ending;
  /** Bodies that are on their way. */
  readonly #bodies = { bytes: 0 };
  readonly #looking = setInterval(() => this.#look(), LOOK_EVERY).unref();
  #isDraining = false;

  constructor(options: AppOptions) {
    const { limits } = options;
    this.#options = options;
    this.#find = routeTable(options.routes);
    this.#stallTimeout = limits.stallTimeout ?? STALL_TIMEOUT;
    this.#ending = new Ending(this.#stallTimeout);
    this.inFlight = new InFlight({
      read: limits.maxInFlight,
      write: limits.maxMutatingInFlight,
      watch: limits.maxWatches,
    });
  }

  /** Requests not yet answered, watches included. */
  get active(): number {
    return this.#active.size;
  }

  /** For HTTP/1.1. */
  callback(): ReturnType<Koa['callback']> {
    const koa = new Koa();
    koa.use((context) => {
      // Koa's own way of answering costs more than everything else here together, and cannot stream with back-pressure.
      context.respond = false;
      return this.serve(context.req as unknown as Incoming, context.res as unknown as Outgoing);
    });
    koa.on('error', (error: unknown) => {
      if (!isOfClient(error)) this.#failed(error);
    });
    return koa.callback();
  }

  /** Watches end, other requests go on; HTTP/1.1 clients are asked to leave. */
  beginDrain(): void {
    this.#isDraining = true;
    for (const exchange of this.#active) if (exchange.isLongRunning) this.#endLongRunning(exchange, SHUTTING_DOWN);
  }

  #look(): void {
    this.#endInvalid();
    this.#ending.cutOffStalled();
  }

  /** A token that is revoked, a user who is disabled: their watches end, too. */
  #endInvalid(): void {
    for (const exchange of this.#active) {
      if (!exchange.isLongRunning || exchange.user.stillValid?.() !== false) continue;
      this.#endLongRunning(exchange, 'the credential does not count any more');
    }
  }

  /** Ends what is still going on. */
  abortAll(): void {
    clearInterval(this.#looking);
    for (const exchange of this.#active) {
      exchange.abort(new Error(SHUTTING_DOWN));
      exchange.out.destroy();
    }
  }

  #endLongRunning(exchange: Exchange, why: string): void {
    exchange.abort(new Error(why));
    exchange.stopStream?.();
  }

  /** Answers one request. Never rejects. */
  serve(req: Incoming, out: Outgoing): Promise<void> {
    return this.#serve(req, out).catch((error: unknown) => this.#failed(error));
  }

  #failed(error: unknown): void {
    this.#options.log.error({ err: error }, 'the HTTP layer failed');
  }

  async #serve(req: Incoming, out: Outgoing): Promise<void> {
    const exchange = new Exchange(req, out);
    this.#active.add(exchange);
    // Without a listener a lost connection would end the process. What matters of it comes with `close`.
    out.on('error', swallow);
    out.on('close', () => {
      exchange.isClosed = true;
      this.#ending.delete(out);
      if (exchange.isAnswered) return;
      exchange.abort(new Error('the client is gone'));
      exchange.stopStream?.();
    });
    const route = this.#find(exchange.path);
    let status = CLIENT_GONE;
    try {
      status = await this.#answer(exchange, route);
    } catch (error) {
      this.#options.log.error({ err: error, auditId: exchange.auditId }, 'an answer was cut off');
      out.destroy();
    } finally {
      this.#active.delete(exchange);
      if (!exchange.isClosed) this.#ending.add(out);
      this.#report(exchange, route, status);
    }
  }

  /** Answers, and gives the place back that was taken for it. */
  async #answer(exchange: Exchange, route: Route | undefined): Promise<number> {
    try {
      const response = await this.#handle(exchange, route);
      exchange.isLongRunning = response.longRunning === true;
      if (exchange.isLongRunning && this.#isDraining) this.#endLongRunning(exchange, SHUTTING_DOWN);
      await this.#respond(exchange, response);
      return response.status;
    } finally {
      if (exchange.place !== undefined) this.inFlight.leave(exchange.place);
    }
  }

  #respond(exchange: Exchange, response: ApiResponse): Promise<void> {
    return respond(exchange, response, {
      stallTimeout: this.#stallTimeout,
      idleTimeout: this.#options.limits.requestTimeout,
      closeConnection: this.#isDraining,
    });
  }

  /** Never rejects: every failure is an answer. */
  #handle(exchange: Exchange, route: Route | undefined): Promise<ApiResponse> {
    return new Promise((resolve) => {
      let isLate = false;
      const giveUp = (): void => {
        isLate = true;
        exchange.isGivenUp = true;
        exchange.abort(new Error('the request took too long'));
        resolve(this.#failure(timeout(TOO_LATE), exchange, route));
      };
      const timer = setTimeout(giveUp, this.#options.limits.requestTimeout).unref();
      const settle = (response: ApiResponse): void => {
        clearTimeout(timer);
        if (isLate) discard(response);
        else resolve(response);
      };
      this.#ask(exchange, route).then(settle, (error: unknown) => settle(this.#failure(error, exchange, route)));
    });
  }

  async #ask(exchange: Exchange, route: Route | undefined): Promise<ApiResponse> {
    if (exchange.req.hasTooLargeHeaders === true) throw headersTooLarge();
    if (!exchange.path.startsWith('/')) throw badRequest('the path of a request must begin with a slash');
    if (route === undefined) throw pathNotFound();
    this.#refuseForeignHost(exchange);
    if (route.open !== true) {
      exchange.isCheckedInCommit = route.isResourceApi === true && exchange.isMutating;
      exchange.takesAnyVersion = route.isResourceApi === true && exchange.asksForAnyVersion;
      const user = this.#options.authenticate(credentialsOf(exchange.req), exchange);
      exchange.user = user instanceof Promise ? await user : user;
    }
    // Nobody would ever hear the end of a body whose client left meanwhile.
    if (exchange.isClosed) throw badRequest('the client is gone');
    const body = readBody(exchange.req, this.#options.limits.bodyBytes, this.#bodies);
    if (body instanceof Promise) exchange.body = await body;
    this.#takePlace(exchange, route);
    return route.handler(exchange);
  }

  /** Only for callers who are known and have sent all they have to: nobody else shall keep them waiting. */
  #takePlace(exchange: Exchange, route: Route): void {
    if (exchange.isGivenUp) throw timeout(TOO_LATE);
    const place = placeOf(exchange, route);
    if (place === undefined) return;
    if (!this.inFlight.enter(place)) throw overloaded();
    exchange.place = place;
  }

  #refuseForeignHost(exchange: Exchange): void {
    const { isOurHost } = this.#options;
    const { host } = exchange.headers;
    if (isOurHost === undefined || isOurHost(host) || exchange.client.isSecure) return;
    throw misdirected(host ?? '');
  }

  #failure(error: unknown, exchange: Exchange, route: Route | undefined): ApiResponse {
    const known = asApiError(error);
    if (known.code >= 500 && !exchange.isClosed && !isTooNew(known)) {
      const { auditId, method, path } = exchange;
      this.#options.log.error({ err: known.cause ?? known, auditId, method, path, status: known.code }, known.message);
    }
    return (route?.renderError ?? renderStatus)(known, exchange);
  }

  #report(exchange: Exchange, route: Route | undefined, status: number): void {
    const milliseconds = performance.now() - exchange.startedAt;
    const { log, observe } = this.#options;
    if (!exchange.isLongRunning) observe?.(exchange.method, route?.prefix ?? '', status, milliseconds / 1000);
    if (!log.isLevelEnabled('debug')) return;
    const { auditId, method, path, user } = exchange;
    log.debug({ auditId, method, path, status, user: user.name, ms: Math.round(milliseconds * 10) / 10 }, 'request');
  }
}

/** Health and version are answered however busy we are: a probe that fails then would only make it worse. */
function placeOf(exchange: Exchange, route: Route): Place | undefined {
  if (exchange.isMutating) return 'write';
  if (route.open === true) return undefined;
  return route.isResourceApi === true && exchange.asksForWatch ? 'watch' : 'read';
}

/** Connections that clients break off are no failure of ours, and theirs to make as often as they like. */
function isOfClient(error: unknown): boolean {
  const { code = '' } = error as NodeJS.ErrnoException;
  return code.startsWith('HPE_') || code === 'ECONNRESET' || code === 'EPIPE';
}

/** Asked for by the client, whatever the state of the server. */
function isTooNew({ details }: ApiError): boolean {
  return details?.causes?.some(({ reason }) => reason === 'ResourceVersionTooLarge') === true;
}

/** An answer that came too late to be sent. */
function discard({ body }: ApiResponse): void {
  if (body !== undefined && !(body instanceof Uint8Array)) {
    body[Symbol.asyncIterator]().return?.().catch(swallow);
  }
}
