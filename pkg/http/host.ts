import { isIP } from 'node:net';
import { ApiError } from '../status/status.js';

/** Whether a `Host` header names this server. */
export type HostCheck = (host: string | undefined) => boolean;

/**
 * For plain HTTP on loopback. A web page can let a name of its own point at the visitor's machine (DNS rebinding); browsers then take it and
 * this server for one site, and it may try passwords. It cannot do so with an address, with `localhost`, or with the names that are given here.
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
