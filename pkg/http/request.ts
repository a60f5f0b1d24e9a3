import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { AuthenticationContext } from '../identity/authn/authenticator.js';
import { ANONYMOUS, isAnonymous, type UserInfo } from '../identity/authn/user.js';
import { DEFAULT_LIMITS } from '../kube/json/limits.js';
import type { DecodeLimits } from '../kube/json/members.js';
import type { ApiError } from '../kube/status/status.js';
import { addressKey } from '../system/net/address.js';
import type { TrustedProxies } from '../system/net/proxies.js';
import type { AuditNotes } from './audit/notes.js';
import type { BodyWriter } from './body-writer.js';
import type { ApiRequest, ApiResponse } from './handler.js';
import type { Mount, MountOf } from './mounts.js';
import type { RequestOperation } from './operation.js';
import { clientOf, type RemoteClient } from './peer.js';

const AUDIT_ID = /^[A-Za-z0-9_.-]{1,64}$/;
const CONTINUE = /^100-continue$/i;
const NO_BODY = new Uint8Array(0);
/** All requests without a query share this. It must not be changed. */
const NO_QUERY = new URLSearchParams();

/** `ctx.state`. The signal is made when it is asked for, because few requests need it. */
export class RequestState implements ApiRequest, AuthenticationContext {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** Node joins repeated headers as we promise, except Set-Cookie, which no request carries. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Writes and reads have separate limits. */
  readonly isMutating: boolean;
  readonly auditId: string;
  readonly startedAt = performance.now();
  /** Undefined: nothing is served under this path. */
  readonly mount: Mount | undefined;
  body: Uint8Array = NO_BODY;
  limits: DecodeLimits = DEFAULT_LIMITS;
  user: UserInfo = ANONYMOUS;
  /** Who asked to act as `user`. */
  impersonator: UserInfo | undefined;
  /** The connection or the stream is gone. */
  isClosed = false;
  /** The request took too long and was answered 504. */
  isGivenUp = false;
  /** The request has a seat. A request without a seat can only be refused. */
  isAdmitted = false;
  /**
   * The client sends its body only when it gets a 100 (RFC 9110 §10.1.1). Whoever refuses the request before that
   * spares both the body.
   */
  awaitsContinue: boolean;
  isCaughtUp = false;
  identifyAgain: (() => Promise<void>) | undefined;
  isCheckedInCommit = false;
  takesAnyVersion = false;
  isAboutServer = false;
  audit: AuditNotes | undefined;
  operation: RequestOperation | undefined;
  failureHeaders: ApiResponse['headers'] | undefined;
  fault: unknown;
  /** The error that `response` tells, if the request failed. */
  failure: ApiError | undefined;
  /** Undefined until a handler has answered, or failed. */
  response: ApiResponse | undefined;
  /** The response, if it is a watch. */
  watch: BodyWriter | undefined;
  /** `Set-Cookie` headers that authentication adds to the response. */
  cookies: string[] | undefined;
  readonly cancellation = new Cancellation();
  readonly #req: IncomingMessage;
  readonly #search: string;
  readonly #proxies: TrustedProxies | undefined;
  #client: RemoteClient | undefined;
  #controller: AbortController | undefined;

  constructor(req: IncomingMessage, mountOf: MountOf, proxies?: TrustedProxies) {
    this.#req = req;
    this.#proxies = proxies;
    this.method = req.method ?? 'GET';
    this.isMutating = this.method !== 'GET' && this.method !== 'HEAD' && this.method !== 'OPTIONS';
    this.headers = req.headers as Readonly<Record<string, string | undefined>>;
    this.awaitsContinue = CONTINUE.test(this.headers['expect'] ?? '') && req.httpVersion !== '1.0';
    const url = originForm(req.url ?? '');
    const mark = url.indexOf('?');
    this.path = mark === -1 ? url : url.slice(0, mark);
    this.#search = mark === -1 ? '' : url.slice(mark + 1);
    this.query = this.#search === '' ? NO_QUERY : new URLSearchParams(this.#search);
    const sent = this.headers['audit-id'];
    this.auditId = sent !== undefined && AUDIT_ID.test(sent) ? sent : randomUUID();
    this.mount = mountOf(this.path);
  }

  get rawHeaders(): readonly string[] {
    return this.#req.rawHeaders;
  }

  get client(): RemoteClient {
    this.#client ??= clientOf(this.#req, this.#proxies);
    return this.#client;
  }

  /** Path and query, as they were sent. */
  get uri(): string {
    return this.#search === '' ? this.path : `${this.path}?${this.#search}`;
  }

  get isOfResourceApi(): boolean {
    return this.mount?.isResourceApi === true;
  }

  get asksForWatch(): boolean {
    if (this.method !== 'GET' || !this.#search.includes('watch')) return false;
    const watch = this.query.get('watch');
    return watch === 'true' || watch === '1' || watch === '';
  }

  get asksForAnyVersion(): boolean {
    if (this.method !== 'GET' || !this.#search.includes('resourceVersion=0')) return false;
    return this.query.get('resourceVersion') === '0';
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.cancellation.aborted) this.#controller.abort(this.cancellation.reason);
    }
    return this.#controller.signal;
  }

  abort(reason: Error): void {
    if (this.cancellation.abort(reason)) this.#controller?.abort(reason);
  }

  /** Ends the response if it is a watch; its client sees that it is complete. */
  endWatch(reason: string): void {
    if (this.watch === undefined) return;
    this.abort(new Error(reason));
    this.watch.finish();
  }

  setCookie(cookie: string): void {
    this.cookies ??= [];
    this.cookies.push(cookie);
  }
}

/** The flow that a request belongs to: its user, or its address as long as the user is not known. */
export function flowOf({ user, client }: Pick<RequestState, 'user' | 'client'>): string {
  if (isAnonymous(user)) return `address:${addressKey(client.remoteAddress)}`;
  return user.uid === '' ? `name:${user.name}` : user.uid;
}

/** Clients send whole URLs to proxies, and every server has to take them (RFC 9112 §3.2.2). */
function originForm(url: string): string {
  if (!/^https?:\/\//i.test(url)) return url;
  const slash = url.indexOf('/', url.indexOf('//') + 2);
  return slash === -1 ? '/' : url.slice(slash);
}

/**
 * Whether a request was given up. It is as much of an AbortSignal as most requests need. A signal itself takes as long
 * to make as decoding a small object.
 */
export class Cancellation {
  aborted = false;
  reason: unknown;
  #listeners: (() => void)[] = [];

  /** Keeps the first reason. Returns false if there was one. */
  abort(reason: Error): boolean {
    if (this.aborted) return false;
    this.aborted = true;
    this.reason = reason;
    for (const listener of this.#listeners.splice(0)) listener();
    return true;
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.push(listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    const at = this.#listeners.indexOf(listener);
    if (at >= 0) this.#listeners.splice(at, 1);
  }
}
