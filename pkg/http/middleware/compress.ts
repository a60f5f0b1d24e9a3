import { pipeline, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { extended } from '../../system/object/extended.js';
import { isStream } from '../body-writer.js';
import type { ApiResponse } from '../handler.js';
import { gzipTag } from '../negotiation/entity-tag.js';
import { after, type Context, type Done, type Middleware } from '../pipeline.js';

/** Below this compression costs more than it saves (kube-apiserver's threshold). */
const COMPRESS_FROM = 128 * 1024;
/** Browsers may be far away. Others do not send `Sec-Fetch-Mode`. */
const COMPRESS_FOR_BROWSERS_FROM = 4 * 1024;
/** The fastest; what better ones save on JSON is not worth their CPU (kube-apiserver's level). */
const LEVEL = 1;
const ENCODING = 'Accept-Encoding';

/**
 * Compresses large responses for clients that take gzip, unless they are compressed. Watches are left as they are: each
 * event is sent at once.
 */
export const compress: Middleware = (ctx, next) => after(next(), ctx, pack);

function pack(ctx: Context): Done {
  const { method, response } = ctx.state;
  if (response === undefined || response.longRunning === true || method === 'HEAD') return undefined;
  const { body, headers, status } = response;
  if (headers['content-encoding'] !== undefined) return undefined;
  if (status === 304) return ofGzip(ctx, response);
  const length = isStream(body) ? Number(headers['content-length'] ?? Number.POSITIVE_INFINITY) : (body?.length ?? 0);
  return length > leastOf(ctx) ? replace(ctx, response) : undefined;
}

function leastOf({ req }: Context): number {
  return req.headers['sec-fetch-mode'] === undefined ? COMPRESS_FROM : COMPRESS_FOR_BROWSERS_FROM;
}

/** Tells a client that has the compressed form that this form has not changed. */
function ofGzip({ req, state }: Context, response: ApiResponse): undefined {
  const headers = withGzipTag(response.headers);
  if (req.headers['if-none-match']?.includes(String(headers['etag'])) === true)
    state.response = { ...response, headers: extended(headers, { vary: varying(headers['vary']) }) };
  return undefined;
}

async function replace(ctx: Context, response: ApiResponse): Promise<void> {
  ctx.state.response = await compressed(ctx, response);
}

async function compressed(ctx: Context, response: ApiResponse): Promise<ApiResponse> {
  const { body = new Uint8Array(0) } = response;
  const { vary, 'content-length': length, ...others } = response.headers;
  const headers = extended(others, { vary: varying(vary) });
  if (ctx.acceptsEncodings('gzip') === false) return { ...response, headers: extended(response.headers, headers) };
  const packed = extended(withGzipTag(headers), { 'content-encoding': 'gzip' });
  if (!isStream(body)) return { ...response, headers: packed, body: gzip([body]) };
  if (length !== undefined) return { ...response, headers: packed, body: gzip(body) };
  const { isWhole, head, body: all } = await peek(body, leastOf(ctx));
  return isWhole ? { ...response, headers, body: head } : { ...response, headers: packed, body: gzip(all) };
}

/** The compressed form is another one, and has its own tag. */
function withGzipTag(headers: ApiResponse['headers']): ApiResponse['headers'] {
  const { etag } = headers;
  return typeof etag === 'string' ? extended(headers, { etag: gzipTag(etag) }) : headers;
}

function varying(vary: string | readonly string[] | undefined): string {
  const names = [vary ?? []].flat();
  return names.includes(ENCODING) ? names.join(', ') : [...names, ENCODING].join(', ');
}

/** Leaving the result early ends the source too. */
export function gzip(source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const compressed = createGzip({ level: LEVEL });
  // A failure of the source destroys `compressed` with it, and so reaches its reader.
  pipeline(Readable.from(source, { objectMode: false }), compressed, () => undefined);
  return compressed;
}

/** The first chunks of a body of unknown length: enough to tell whether it is worth compressing. */
export interface Peeked {
  readonly isWhole: boolean;
  readonly head: Buffer;
  /** Everything, the head included. */
  readonly body: AsyncIterable<Uint8Array>;
}

export async function peek(source: AsyncIterable<Uint8Array>, bytes: number): Promise<Peeked> {
  const iterator = source[Symbol.asyncIterator]();
  const head: Uint8Array[] = [];
  let [length, isWhole] = [0, false];
  while (length <= bytes && !isWhole) {
    const next = await iterator.next();
    isWhole = next.done === true;
    if (next.done === true) break;
    head.push(next.value);
    length += next.value.length;
  }
  const again: AsyncIterator<Uint8Array> = {
    next: async () => {
      const first = head.shift();
      return first === undefined ? iterator.next() : { done: false, value: first };
    },
    return: async () => {
      head.length = 0;
      await iterator.return?.();
      return { done: true, value: undefined };
    },
  };
  return { isWhole, head: Buffer.concat(isWhole ? head : []), body: { [Symbol.asyncIterator]: () => again } };
}
