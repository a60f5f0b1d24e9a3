import type { IncomingMessage } from 'node:http';
import type { ServerHttp2Stream } from 'node:http2';
import { limitsOf } from '../../kube/json/limits.js';
import { badRequest, tooLarge, tooManyRequests } from '../../kube/status/errors.js';
import { ApiError } from '../../kube/status/status.js';
import { Shares } from '../flowcontrol/shares.js';
import type { Http2Request } from '../http2.js';
import { isYaml, isYamlBody, mediaTypeOf } from '../media-type.js';
import type { Context, Done, Middleware } from '../pipeline.js';
import { flowOf } from '../request.js';

type Request = IncomingMessage & Partial<Pick<Http2Request, 'stream'>>;

/** The most bytes of all bodies together that are being received, wait, or are served. */
const MOST_PENDING = 256 * 2 ** 20;
/**
 * How long, and how much, a client may send of a body that was refused, so that it reads the answer before the
 * connection is closed.
 */
const LINGER = { milliseconds: 5_000, bytes: 64 * 2 ** 20 };

export interface BodyLimits {
  readonly bodyBytes: number;
  readonly yamlBytes: number;
}

const cutShort = (): ApiError => badRequest('the request ended before its body did');

/**
 * Reads the body whole: 413 as soon as it is known to be over the limit, 429 when the caller has its share of what may
 * be pending. The bodies of reads, and of routes that take none, are left unread, as in Kubernetes.
 */
export function body(limits: BodyLimits): Middleware {
  const pending = new Shares(MOST_PENDING);
  const read = async (ctx: Context, next: Parameters<Middleware>[1], limit: Limit): Promise<void> => {
    const flow = flowOf(ctx.state);
    let received = 0;
    const hold = (bytes: number): boolean => {
      if (!pending.take(flow, bytes)) return false;
      received += bytes;
      return true;
    };
    try {
      ctx.state.body = await readBody(ctx, limit, hold);
      ctx.state.limits = limitsOf(Math.min(bytesOf(ctx.state, limit, limits), limits.bodyBytes));
      await next();
    } finally {
      pending.give(flow, received);
    }
  };
  return (ctx, next) => {
    const { isClosed, isMutating } = ctx.state;
    // The body of a client that has disconnected never emits `end`.
    if (isClosed) throw badRequest('the client is gone');
    if (!isMutating || !hasBody(ctx.req)) return next();
    refuseEncoded(ctx.req);
    const limit = limitFor(ctx.state, limits);
    return limit.bytes > 0 ? read(ctx, next, limit) : next();
  };
}

/** Bodies are not decompressed, because a few bytes could become gigabytes. See RFC 9110 §15.5.16. */
function refuseEncoded({ headers }: Request): void {
  const encoding = headers['content-encoding'];
  if (encoding === undefined || /^\s*(identity)?\s*$/i.test(encoding)) return;
  throw new ApiError({
    code: 415,
    reason: 'UnsupportedMediaType',
    message: 'the body of a request must not be compressed: send it without the header Content-Encoding',
  });
}

/**
 * The limit for a body that was read. Throws 413 for an apply in YAML above it: its media type does not tell whether it
 * is JSON.
 */
function bytesOf(state: Context['state'], { bytes }: Limit, { yamlBytes }: BodyLimits): number {
  if (!isYamlBody(state)) return bytes;
  if (state.body.length > yamlBytes) throw tooLarge(yamlBytes, 'limits.yaml_bytes');
  return Math.min(bytes, yamlBytes);
}

interface Limit {
  readonly bytes: number;
  /** The setting that it is from. */
  readonly setting?: string;
}

function limitFor(state: Context['state'], { bodyBytes, yamlBytes }: BodyLimits): Limit {
  const { bulkBytes, bodyBytes: limit = bodyBytes } = state.mount ?? {};
  const bytes = bulkBytes ?? Math.min(bodyBytes, limit);
  if (yamlBytes < bytes && isYaml(mediaTypeOf(state))) return { bytes: yamlBytes, setting: 'limits.yaml_bytes' };
  if (bulkBytes !== undefined) return { bytes, setting: 'limits.apply_bytes' };
  return limit < bodyBytes ? { bytes } : { bytes, setting: 'limits.body_bytes' };
}

export function hasBody({ headers, stream }: Request): boolean {
  if (stream !== undefined) return !stream.endAfterHeaders;
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/** `hold` is told how many bytes came. It returns false if they are too many. */
async function readBody(
  { req, res, state }: Context,
  { bytes: limit, setting }: Limit,
  hold: (bytes: number) => boolean,
): Promise<Uint8Array> {
  const source: IncomingMessage | ServerHttp2Stream = (req as Request).stream ?? req;
  const declared = Number(req.headers['content-length'] ?? 0);
  if (declared > limit) throw tooLarge(limit, setting);
  if (state.awaitsContinue) {
    state.awaitsContinue = false;
    res.writeContinue();
  }
  const pieces = new Pieces(declared);
  let fail: (error: ApiError) => void = () => undefined;
  const take = (piece: Buffer): void => {
    pieces.add(piece);
    if (pieces.length > limit) fail(tooLarge(limit, setting));
    else if (!hold(piece.length)) fail(tooManyRequests(1));
  };
  const onCut = (): void => fail(cutShort());
  try {
    await new Promise<void>((resolve, reject) => {
      fail = reject;
      source.on('error', onCut).on('end', resolve).on('data', take);
      res.on('close', onCut);
    });
    if (!req.complete) throw cutShort();
    return pieces.joined();
  } finally {
    source.off('data', take).pause();
    res.off('close', onCut);
  }
}

/** The bytes of a body. They are copied into one buffer, because a client may send each byte in a chunk of its own. */
class Pieces {
  length = 0;
  readonly #declared: number;
  #buffer: Buffer = Buffer.alloc(0);

  constructor(declared: number) {
    this.#declared = declared;
  }

  add(piece: Buffer): void {
    const length = this.length + piece.length;
    // Most bodies come in one piece.
    if (this.length === 0) this.#buffer = piece;
    else this.#append(piece, length);
    this.length = length;
  }

  joined(): Uint8Array {
    return this.#buffer.subarray(0, this.length);
  }

  #append(piece: Buffer, length: number): void {
    if (length > this.#buffer.length) {
      // A client may declare much, and send little of it.
      const doubled = Math.min(2 * this.#buffer.length, this.#declared || Number.POSITIVE_INFINITY);
      const larger = Buffer.allocUnsafe(Math.max(length, doubled));
      larger.set(this.joined());
      this.#buffer = larger;
    }
    this.#buffer.set(piece, this.length);
  }
}

/** Reads on for a while if a request was answered before all of its body came. HTTP/2 ends the stream instead. */
export function discardUnreadBody(ctx: Context, next: Parameters<Middleware>[1]): Done {
  const { req } = ctx;
  if (req.httpVersionMajor >= 2 || !hasBody(req)) return next();
  return discardAfter(next, req);
}

async function discardAfter(next: Parameters<Middleware>[1], req: IncomingMessage): Promise<void> {
  try {
    await next();
  } finally {
    if (!req.complete) discard(req);
  }
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
