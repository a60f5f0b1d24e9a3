import { type HostCheck, misdirected } from '../host.js';
import type { Middleware } from '../request.js';

/** Refuses requests over plain HTTP for names that are not the server's. Over HTTPS the certificate tells the client. */
export function hostGuard(isOurHost: HostCheck): Middleware {
  return (ctx, next) => {
    const { host } = ctx.state.headers;
    if (!isOurHost(host) && !ctx.state.client.isSecure) throw misdirected(host ?? '');
    return next();
  };
}
