import { type HostCheck, misdirected } from '../host.js';
import { isEncrypted } from '../peer.js';
import type { Middleware } from '../request.js';

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
