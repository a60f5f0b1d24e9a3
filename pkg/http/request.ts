import { randomUUID } from 'node:crypto';
import { ANONYMOUS, type UserInfo } from '../authn/user.js';
import type { ApiRequest } from './exchange.js';
import type { Place } from './in-flight.js';
import { credentialsOf } from './peer.js';
import type { Incoming, Outgoing } from './wire.js';

const AUDIT_ID = /^[A-Za-z0-9_.-]{1,64}$/;
const NO_BODY = new Uint8Array(0);

/** One request from its first byte to the last of its answer. What few handlers look at is made when they do. */
export class Exchange implements ApiRequest {
  readonly method: string;
  readonly path: string;
  readonly auditId: string;
  readonly startedAt = performance.now();
  body: Uint8Array = NO_BODY;
  user: UserInfo = ANONYMOUS;
  /** The answer has been handed to the socket, whole. */
  isAnswered = false;
  /** The connection or stream is gone. */
  isClosed = false;
  /** Stops a streamed answer; set while there is one. */
  stopStream: (() => void) | undefined;
  /** A streamed answer without a natural end. */
  isLongRunning = false;
  isCaughtUp = false;
  /** What it takes up of the limits on requests. */
  place: Place | undefined;
  /** It was answered because it took too long. */
  isGivenUp = false;
  isCheckedInCommit = false;
  takesAnyVersion = false;
  /** `Set-Cookie` headers that authentication adds to the answer. */
  readonly cookies: string[] = [];
  readonly req: Incoming;
  readonly out: Outgoing;
  readonly #search: string;
  #query: URLSearchParams | undefined;
  #controller: AbortController | undefined;
  #abortReason: unknown;

  constructor(req: Incoming, out: Outgoing) {
    this.req = req;
    this.out = out;
    this.method = req.method ?? 'GET';
    const url = originForm(req.url ?? '');
    const mark = url.indexOf('?');
    this.path = mark === -1 ? url : url.slice(0, mark);
    this.#search = mark === -1 ? '' : url.slice(mark + 1);
    const sent = req.headers['audit-id'];
    this.auditId = typeof sent === 'string' && AUDIT_ID.test(sent) ? sent : randomUUID();
  }

  /** Node joins repeated headers as we promise, but for Set-Cookie, which no request carries. */
  get headers(): Readonly<Record<string, string | undefined>> {
    return this.req.headers as Readonly<Record<string, string | undefined>>;
  }

  get rawHeaders(): readonly string[] {
    return this.req.rawHeaders;
  }

  get client(): NonNullable<ApiRequest['client']> {
    const { remoteAddress, site } = credentialsOf(this.req);
    return { remoteAddress, isSecure: site.isSecure };
  }

  setCookie(cookie: string): void {
    this.cookies.push(cookie);
  }

  get query(): URLSearchParams {
    this.#query ??= new URLSearchParams(this.#search);
    return this.#query;
  }

  /** Reads are limited apart from writes. */
  get isMutating(): boolean {
    return this.method !== 'GET' && this.method !== 'HEAD' && this.method !== 'OPTIONS';
  }

  /** Asks for a watch, which has a place of its own among the requests in flight. */
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
      if (this.#abortReason !== undefined) this.#controller.abort(this.#abortReason);
    }
    return this.#controller.signal;
  }

  abort(reason: Error): void {
    this.#abortReason ??= reason;
    this.#controller?.abort(reason);
  }
}

/** Proxies are sent whole URLs, and every server has to take them (RFC 9112 §3.2.2). */
function originForm(url: string): string {
  if (!/^https?:\/\//i.test(url)) return url;
  const slash = url.indexOf('/', url.indexOf('//') + 2);
  return slash === -1 ? '/' : url.slice(slash);
}
