import type { IncomingMessage } from 'node:http';
import type { ServerHttp2Stream } from 'node:http2';
import getRawBody from 'raw-body';
import { badRequest, tooLarge, tooManyRequests } from '../../status/errors.js';
import { ApiError } from '../../status/status.js';
import type { Http2Request } from '../http2.js';
import type { Context, Middleware } from '../request.js';

type Request = IncomingMessage & Partial<Pick<Http2Request, 'stream'>>;

/** Bodies that have begun and not ended keep no more than this, all together. */
const MOST_PENDING = 256 * 2 ** 20;
/** How long, and how much, a client may go on sending a body that was refused, so that it reads the answer before we hang up. */
const LINGER = { milliseconds: 1_000, bytes: 16 * 2 ** 20 };

const cutShort = (): ApiError => badRequest('the request ended before its body did');

/** Reads the body whole: 413 as soon as it is known to be over `limit`, 429 when too much of other bodies is pending. */
export function body(limit: number): Middleware {
  const pending = { bytes: 0 };
  const read: Middleware = async (ctx, next) => {
    ctx.state.body = await readBody(ctx, limit, pending);
    return next();
  };
  return (ctx, next) => {
    // Nobody would hear the end of a body whose client left meanwhile.
    if (ctx.state.isClosed) throw badRequest('the client is gone');
    return hasBody(ctx.req) ? read(ctx, next) : next();
  };
}

function hasBody({ headers, stream }: Request): boolean {
  if (stream !== undefined) return !stream.endAfterHeaders;
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

async function readBody({ req, res }: Context, limit: number, pending: { bytes: number }): Promise<Uint8Array> {
  const source: IncomingMessage | ServerHttp2Stream = (req as Request).stream ?? req;
  let length = 0;
  let fail: (error: ApiError) => void = () => undefined;
  const failure = new Promise<never>((_resolve, reject) => {
    fail = reject;
  });
  const count = (chunk: Buffer): void => {
    length += chunk.length;
    pending.bytes += chunk.length;
    if (pending.bytes <= MOST_PENDING) return;
    source.removeAllListeners('data').pause();
    fail(tooManyRequests(1));
  };
  const onClose = (): void => fail(cutShort());
  source.on('data', count);
  res.on('close', onClose);
  try {
    const bytes = await Promise.race([
      getRawBody(source, { limit, length: req.headers['content-length'] ?? null }),
      failure,
    ]);
    if (!req.complete) throw cutShort();
    return bytes;
  } catch (error) {
    throw refusal(error, limit);
  } finally {
    pending.bytes -= length;
    source.off('data', count);
    res.off('close', onClose);
  }
}

function refusal(error: unknown, limit: number): ApiError {
  if (error instanceof ApiError) return error;
  return (error as getRawBody.RawBodyError).type === 'entity.too.large' ? tooLarge(limit) : cutShort();
}

/** Goes on reading for a while where a request was answered before it came whole. HTTP/2 ends the stream instead. */
export function discardUnreadBody(ctx: Context, next: Parameters<Middleware>[1]): Promise<void> {
  const { req } = ctx;
  if (req.httpVersionMajor >= 2 || !hasBody(req)) return next();
  return next().finally(() => {
    if (!req.complete) discard(req);
  });
}

function discard(req: IncomingMessage): void {
  let length = 0;
  const hangUp = (): void => {
    req.socket.destroy();
  };
  const timer = setTimeout(hangUp, LINGER.milliseconds);
  req.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length > LINGER.bytes) hangUp();
  });
  req.on('end', () => clearTimeout(timer));
  req.on('close', () => clearTimeout(timer));
  req.resume();
}
