import type { LiveList } from '../../system/collections/live-list.js';
import type { TrustedProxies } from '../../system/net/proxies.js';
import { connectionOf } from '../connections.js';
import type { MountOf } from '../mounts.js';
import type { Context, Middleware } from '../pipeline.js';
import { RequestState } from '../request.js';

/**
 * Makes `ctx.state`: audit id, abort signal, and which API the path belongs to. The request is `live` until its
 * response is sent, or its connection or stream is gone.
 */
export function requestContext(mountOf: MountOf, live: LiveList<Context>, proxies?: TrustedProxies): Middleware {
  return (ctx, next) => {
    const { res } = ctx;
    const state = new RequestState(ctx.req, mountOf, proxies);
    ctx.state = state;
    const remove = live.add(ctx);
    const connection = connectionOf(ctx.req.socket);
    connection?.begin();
    // Without a listener, a lost connection would end the process. The listener does nothing, because `close` follows.
    res.on('error', ignore);
    res.on('close', () => {
      state.isClosed = true;
      remove();
      connection?.end();
      if (!res.writableEnded) state.abort(new Error('the client is gone'));
    });
    return next();
  };
}

function ignore(): void {}
