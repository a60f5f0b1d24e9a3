import { discardBody } from './body.js';
import { acceptsGzip, COMPRESS_FROM, gzip, inPieces, peek } from './compress.js';
import type { ApiResponse } from './exchange.js';
import { pump } from './pump.js';
import type { Exchange } from './request.js';

export interface RespondOptions {
  /** A client that takes nothing for so long is cut off. */
  readonly stallTimeout: number;
  /** The source of a streamed body may rest no longer than this, unless it is long-running. */
  readonly idleTimeout: number;
  /** Asks HTTP/1.1 clients not to send more on this connection. */
  readonly closeConnection: boolean;
}

type Headers = Record<string, string | number | string[]>;

const isStream = (body: ApiResponse['body']): body is AsyncIterable<Uint8Array> =>
  body !== undefined && !(body instanceof Uint8Array);

/** Writes the answer to its end, or until the client is gone. */
export async function respond(exchange: Exchange, response: ApiResponse, options: RespondOptions): Promise<void> {
  const headers = headersOf(exchange, response, options);
  const { body, status } = response;
  if (exchange.isClosed || exchange.method === 'HEAD' || status === 204 || status === 304) {
    if (isStream(body))
      body[Symbol.asyncIterator]()
        .return?.()
        .catch(() => undefined);
    if (!exchange.isClosed) end(exchange, status, headers);
    return;
  }
  if (response.longRunning === true && isStream(body)) return stream(exchange, status, headers, body, options, true);
  if (!isStream(body)) return whole(exchange, status, headers, body, options);
  const length = Number(headers['content-length'] ?? Number.NaN);
  const isGzip = acceptsGzip(exchange.headers['accept-encoding']);
  if (length <= COMPRESS_FROM) return stream(exchange, status, headers, body, options, false);
  varyByEncoding(headers);
  if (!isGzip) return stream(exchange, status, headers, body, options, false);
  if (length > COMPRESS_FROM) return compressed(exchange, status, headers, body, options);
  const peeked = await peek(body, COMPRESS_FROM);
  if (peeked.isWhole) return whole(exchange, status, headers, peeked.head, options);
  return compressed(exchange, status, headers, peeked.body, options);
}

/** Set on every answer: none may be kept by a cache, or be taken for another type than it says. */
function headersOf(exchange: Exchange, response: ApiResponse, options: RespondOptions): Headers {
  const headers: Headers = {
    'audit-id': exchange.auditId,
    'cache-control': 'no-cache, private',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    ...(response.headers as Headers),
  };
  if (exchange.cookies.length > 0) headers['set-cookie'] = [...cookiesOf(response), ...exchange.cookies];
  if (options.closeConnection && exchange.req.httpVersionMajor < 2) headers['connection'] = 'close';
  return headers;
}

const cookiesOf = ({ headers }: ApiResponse): readonly string[] => [headers['set-cookie'] ?? []].flat();

function whole(
  exchange: Exchange,
  status: number,
  headers: Headers,
  body: Uint8Array | undefined,
  options: RespondOptions,
): Promise<void> | undefined {
  const length = body?.length ?? 0;
  if (body !== undefined && length > COMPRESS_FROM) {
    varyByEncoding(headers);
    headers['content-length'] = length;
    const pieces = inPieces(body);
    if (acceptsGzip(exchange.headers['accept-encoding'])) return compressed(exchange, status, headers, pieces, options);
    return stream(exchange, status, headers, pieces, options, false);
  }
  headers['content-length'] = length;
  end(exchange, status, headers, body);
  return undefined;
}

/** Beside what the answer varies by already. */
function varyByEncoding(headers: Headers): void {
  const { vary } = headers;
  headers['vary'] = vary === undefined ? 'Accept-Encoding' : `${vary}, Accept-Encoding`;
}

function compressed(
  exchange: Exchange,
  status: number,
  headers: Headers,
  body: AsyncIterable<Uint8Array>,
  options: RespondOptions,
): Promise<void> {
  delete headers['content-length'];
  headers['content-encoding'] = 'gzip';
  return stream(exchange, status, headers, gzip(body), options, false);
}

async function stream(
  exchange: Exchange,
  status: number,
  headers: Headers,
  body: AsyncIterable<Uint8Array>,
  options: RespondOptions,
  isLongRunning: boolean,
): Promise<void> {
  const { out, req } = exchange;
  out.writeHead(status, headers);
  // A client waits for the headers of a watch before anything else.
  if (isLongRunning) out.flushHeaders();
  const { stallTimeout, idleTimeout } = options;
  await pump(body, exchange, { stallTimeout, idleTimeout: isLongRunning ? undefined : idleTimeout });
  exchange.isAnswered = true;
  if (exchange.isClosed) return;
  out.end();
  discardBody(req);
}

/** The common case: headers and body in one go. */
function end(exchange: Exchange, status: number, headers: Headers, body?: Uint8Array): void {
  const { out, req } = exchange;
  exchange.isAnswered = true;
  out.writeHead(status, headers);
  out.end(body);
  discardBody(req);
}
