import { isIP } from 'node:net';
import { ApiError } from '../../kube/status/status.js';
import { isEncrypted } from '../peer.js';
import type { Middleware } from '../pipeline.js';

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

function misdirected(host: string): ApiError {
  const message = `this server does not know itself by the name ${JSON.stringify(host.slice(0, 100))}: ask for localhost, or set server.root_url`;
  return new ApiError({ code: 421, reason: 'BadRequest', message });
}

/**
 * Refuses requests over plain HTTP for names that are not the server's. Over HTTPS, clients check the name in the
 * certificate. `X-Forwarded-Proto` is ignored, because a page can set it.
 */
export function hostGuard(isOurHost: HostCheck): Middleware {
  return (ctx, next) => {
    const { host } = ctx.state.headers;
    if (!isOurHost(host) && !isEncrypted(ctx.req.socket)) throw misdirected(host ?? '');
    return next();
  };
}
