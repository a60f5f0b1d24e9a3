import { sensitiveHeaders } from 'node:http2';
import { BodyWriter, discard, isStream } from '../body-writer.js';
import { connectionOf } from '../connections.js';
import type { ApiResponse } from '../handler.js';
import { peerOf } from '../peer.js';
import { after, type Context, type Done, type Middleware } from '../pipeline.js';
import type { RequestState } from '../request.js';
import { boundedWarnings } from '../warnings.js';
import { hasBody } from './body.js';

export const SHUTTING_DOWN = 'the server is shutting down';

/** A longer body is written piece by piece. */
const MOST_AT_ONCE = 128 * 1024;
const NO_BODY = new Uint8Array(0);

/** The header `Strict-Transport-Security`: a year, in seconds. */
const STRICT_TRANSPORT = `max-age=${365 * 86_400}`;

type Headers = Record<string, string | number | string[]>;

/**
 * Headers whose values are never repeated are kept out of HPACK's table. There they would replace others, and be
 * compared with each new value.
 */
const NEVER_INDEXED = ['audit-id'];
type Body = NonNullable<ApiResponse['body']>;

export interface ResponseOptions {
  /** Clients of HTTP/1.1 are asked to connect elsewhere. */
  readonly isLeaving: () => boolean;
  /** Watches end. */
  readonly isDraining: () => boolean;
  /** Milliseconds that the source of a streamed response may rest. */
  readonly idleTimeout: number;
}

/** Sends what the handler, or a failure, answered. */
export function responses({ isLeaving, isDraining, idleTimeout }: ResponseOptions): Middleware {
  const send = (ctx: Context): Done => {
    const { req, state } = ctx;
    const { response } = state;
    if (response === undefined) return undefined;
    // The context outlives the response, and would keep its body in memory.
    state.response = undefined;
    const headers = headersOf(state, response);
    if (peerOf(req.socket).isStrict) headers['strict-transport-security'] = STRICT_TRANSPORT;
    if (req.httpVersionMajor < 2) setConnection(headers, ctx, isLeaving());
    const { body = NO_BODY, longRunning, status } = response;
    if (state.method === 'HEAD' || status === 204 || status === 304) return sendHead(ctx, status, headers, body);
    if (!isStream(body)) return sendBytes(ctx, status, headers, body, idleTimeout);
    if (longRunning !== true) return sendStream(ctx, status, headers, body, idleTimeout);
    return sendWatch(ctx, status, headers, body, isDraining());
  };
  return (ctx, next) => after(next(), ctx, send);
}

/**
 * Asks a client of HTTP/1.1 not to send more on this connection, or tells an anonymous one how many seconds it may wait
 * with its next request. A client that did not get the 100 that it waits for may or may not send its body, which could
 * not be told from the next request.
 */
function setConnection(headers: Headers, { req, state }: Context, isLeaving: boolean): void {
  const keepAlive = connectionOf(req.socket)?.keepAlive;
  if (isLeaving || (state.awaitsContinue && hasBody(req))) headers['connection'] = 'close';
  else if (keepAlive !== undefined) headers['keep-alive'] = `timeout=${keepAlive}`;
}

/**
 * No response may be kept by a cache, or be taken for another type than it says. No page of another site may load it,
 * because it could learn from the status whether an object exists. Another site has no control of a window that it
 * opens here.
 */
function headersOf({ auditId, cookies }: RequestState, { headers }: ApiResponse): Headers {
  // The members that all responses have come first, in one order. So V8 has few shapes for the objects of most
  // responses, and finds their members at once.
  const own: Headers = {
    'audit-id': auditId,
    'cache-control': 'no-cache, private',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'cross-origin-resource-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    [sensitiveHeaders]: NEVER_INDEXED,
  };
  const all = Object.assign(own, headers);
  if (cookies !== undefined) all['set-cookie'] = [headers['set-cookie'] ?? [], cookies].flat(2);
  const { warning } = headers;
  if (warning !== undefined) all['warning'] = [...boundedWarnings([warning].flat())];
  return all;
}

function sendHead({ res }: Context, status: number, headers: Headers, body: Body): undefined {
  discard(body);
  if (!isStream(body) && body.length > 0 && body.length <= MOST_AT_ONCE) headers['content-length'] = body.length;
  res.writeHead(status, headers).end();
}

/**
 * Headers and body at once. Koa would set and look up each header by itself, which takes 5 % of the CPU of a small
 * request.
 */
function sendBytes(ctx: Context, status: number, headers: Headers, bytes: Uint8Array, idleTimeout: number): Done {
  headers['content-length'] = bytes.length;
  if (bytes.length > MOST_AT_ONCE) return sendStream(ctx, status, headers, only(bytes), idleTimeout);
  ctx.res.writeHead(status, headers);
  if (isCutOff(ctx, headers)) endAfterBody(ctx, bytes);
  else ctx.res.end(bytes);
  return undefined;
}

/**
 * Whether Node would close the connection at the end of the answer while the client still sends its body. The client
 * would lose the answer.
 */
function isCutOff({ req, res }: Context, headers: Headers): boolean {
  if (req.httpVersionMajor >= 2 || !hasBody(req) || req.complete) return false;
  return !res.shouldKeepAlive || headers['connection'] === 'close';
}

/**
 * The client has the whole answer at once. Its end comes when the rest of the body is discarded (`discardUnreadBody`).
 */
function endAfterBody({ req, res }: Context, bytes: Uint8Array): void {
  res.write(bytes);
  const end = (): void => void res.end();
  req.once('end', end).once('close', end);
}

function sendStream(
  { res }: Context,
  status: number,
  headers: Headers,
  body: AsyncIterable<Uint8Array>,
  idleTimeout: number,
): Promise<void> {
  res.writeHead(status, headers);
  return new BodyWriter(body, res, idleTimeout).run();
}

/** Resolves when the watch is over. */
function sendWatch(
  { res, state }: Context,
  status: number,
  headers: Headers,
  body: AsyncIterable<Uint8Array>,
  isDraining: boolean,
): Promise<void> {
  res.writeHead(status, headers);
  // A client waits for the headers before anything else.
  res.flushHeaders();
  state.watch = new BodyWriter(body, res);
  if (isDraining) state.endWatch(SHUTTING_DOWN);
  return state.watch.run();
}

async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  yield bytes;
}
