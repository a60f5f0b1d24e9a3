import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { ApiError } from '../kube/status/status.js';

/** Whether a `Host` header names this server. */
export type HostCheck = (host: string | undefined) => boolean;

/**
 * For plain HTTP on loopback. A web page can let its own name point at the visitor's machine (DNS rebinding). Browsers
 * then take the page and this server for one site, so the page could try passwords. It cannot do so with an address,
 * with `localhost`, or with the names that are given here.
 */
export function hostCheck(names: readonly string[]): HostCheck {
  const ours = new Set(['localhost', ...names].map((name) => name.toLowerCase()));
  return (host) => {
    if (host === undefined) return true;
    const name = host.replace(/:\d*$/, '').toLowerCase();
    return ours.has(name) || name.endsWith('.localhost') || isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0;
  };
}

export function misdirected(host: string): ApiError {
  const message = `this server does not know itself by the name ${JSON.stringify(host.slice(0, 100))}: ask for localhost, or set server.root_url`;
  return new ApiError({ code: 421, reason: 'BadRequest', message });
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
