import type { IncomingMessage } from 'node:http';
import { badRequest, pathNotFound } from '../../kube/status/errors.js';
import { headersTooLarge } from '../header-limit.js';
import type { Http2Request } from '../http2.js';
import type { Context, Done, Middleware } from '../pipeline.js';

/**
 * Refuses what can be refused before anyone is authenticated: headers above the limit, several hosts or credentials,
 * and paths under which nothing is served.
 */
export function requestTarget(ctx: Context, next: Parameters<Middleware>[1]): Done {
  if ((ctx.req as Partial<Http2Request>).hasTooLargeHeaders === true) throw headersTooLarge();
  if (!namesOneHost(ctx.req)) throw badRequest('a request must name one host, in one header');
  const repeated = repeatedHeader(ctx.req.rawHeaders);
  if (repeated !== undefined)
    throw badRequest(`a request must have one line of the header ${repeated}, and not several`);
  if (!ctx.state.path.startsWith('/')) throw badRequest('the path of a request must begin with a slash');
  if (ctx.state.mount === undefined) throw pathNotFound();
  return next();
}

/**
 * Whether the request names one host. It may not have several `Host` headers (RFC 9112 §3.2), nor a `Host` that differs
 * from `:authority` (RFC 9113 §8.3.1) or from the host of an absolute target (RFC 9112 §3.2.2). Otherwise a proxy and
 * this server could take different ones.
 */
export function namesOneHost({
  headers,
  rawHeaders,
  url = '',
}: Pick<IncomingMessage, 'headers' | 'rawHeaders' | 'url'>): boolean {
  const authority = headers[':authority'] ?? ABSOLUTE.exec(url)?.[1];
  const { host } = headers;
  if (typeof authority === 'string' && host !== undefined && withoutPort443(host) !== withoutPort443(authority))
    return false;
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts <= 1;
}

const ABSOLUTE = /^https?:\/\/([^/?#]*)/i;

/** HTTP/2 is served over TLS only, where this port may be left out. */
const withoutPort443 = (host: string): string => host.toLowerCase().replace(/:443$/, '');

/**
 * The headers that have one value and decide something: who is calling, as whom, where, and how a body is read. Node
 * takes the first of several lines of most of them, and a proxy may take the last one. `Content-Length` and `Host` are
 * checked elsewhere. Headers with lists, such as `If-Match` and `X-Forwarded-For`, may have several lines, and so may
 * cookies.
 */
const SINGLE = [
  'authorization',
  'content-type',
  'impersonate-uid',
  'impersonate-user',
  'origin',
  'referer',
  'x-grafana-org-id',
] as const;

const LENGTHS = new Set<number>(SINGLE.map((name) => name.length));

/** The name of a header that may have one line, and has several. Most names are passed over by their length. */
export function repeatedHeader(rawHeaders: readonly string[]): string | undefined {
  let seen = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? '';
    if (!LENGTHS.has(name.length)) continue;
    const index = SINGLE.indexOf(name.toLowerCase() as (typeof SINGLE)[number]);
    if (index === -1) continue;
    if ((seen & (1 << index)) !== 0) return SINGLE[index];
    seen |= 1 << index;
  }
  return undefined;
}
