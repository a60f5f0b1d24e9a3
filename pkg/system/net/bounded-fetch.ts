import http from 'node:http';
import https, { type RequestOptions } from 'node:https';
import type { AddressGuard } from './address-guard.js';
import { isSafeUrl } from './safe-url.js';

/** The client certificate and the authorities of HTTPS requests, as PEM. */
export type ClientTls = Pick<RequestOptions, 'ca' | 'cert' | 'key' | 'rejectUnauthorized'>;

export interface BoundedFetchOptions {
  /** Ends all requests, and the reading of their answers. */
  readonly signal: AbortSignal;
  /** The most bytes of an answer. */
  readonly bytes: number;
  readonly tls?: ClientTls;
  /** Throws for a body that is not taken, before anybody parses it. */
  readonly check?: (body: Uint8Array) => void;
  /** Which addresses may be asked. Absent: all. */
  readonly guard?: AddressGuard;
  /** Also sends requests that are not encrypted to other machines. */
  readonly isInsecure?: boolean;
}

export interface FetchInit {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Like `fetch`, but it follows no redirects. */
export type BoundedFetch = (url: string, init?: FetchInit) => Promise<Response>;

/** The URL is not encrypted, and leads to another machine. */
export class UnsafeUrl extends Error {}

/**
 * Requests to servers that are not trusted to be quick or modest. By hand because `fetch` takes client certificates and
 * authorities only through a package that comes with Node but cannot be imported.
 */
export function boundedFetch({
  signal,
  bytes,
  tls = {},
  check,
  guard,
  isInsecure = false,
}: BoundedFetchOptions): BoundedFetch {
  return async (url, { method = 'GET', headers = {}, body } = {}) => {
    if (!isInsecure && !isSafeUrl(url))
      throw new UnsafeUrl(`${originOf(url)} is neither an https:// URL nor on this machine`);
    guard?.checkHost(url);
    const content = body == null || body instanceof Uint8Array ? body : String(body);
    const length = content == null ? {} : { 'content-length': String(Buffer.byteLength(content)) };
    const options = {
      method,
      headers: { ...headers, ...length, 'accept-encoding': 'identity' },
      signal,
      agent: false,
      ...(guard && { lookup: guard.lookup }),
    };
    const answer = await new Promise<http.IncomingMessage>((resolve, reject) => {
      const request = url.startsWith('https:')
        ? https.request(url, { ...options, ...tls })
        : http.request(url, options);
      request.on('response', resolve).on('error', reject).end(content);
    });
    const read = await readAll(answer, bytes);
    check?.(read);
    return responseOf(answer, read);
  };
}

async function readAll(answer: http.IncomingMessage, limit: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of answer as AsyncIterable<Buffer>) {
    length += piece.length;
    // Leaving the loop destroys the answer.
    if (length > limit) throw new Error(`the answer is larger than ${limit} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** Statuses whose responses have no body, even an empty one. */
const BODILESS = new Set([204, 205, 304]);

function responseOf({ statusCode = 500, rawHeaders }: http.IncomingMessage, body: Buffer): Response {
  const headers = new Headers();
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) headers.append(rawHeaders[i] ?? '', rawHeaders[i + 1] ?? '');
  return new Response(BODILESS.has(statusCode) ? null : new Uint8Array(body), { status: statusCode, headers });
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : 'the URL';
}
