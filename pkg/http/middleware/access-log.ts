import type { Logger } from 'pino';
import type { Context, Middleware } from '../request.js';

/** Is told of each request when its response is sent, or its client is gone. */
export type Observe = (method: string, route: string, status: number, seconds: number) => void;

/** nginx's code for a client that left before its response was whole. */
const CLIENT_GONE = 499;

/** Logs each request at the level debug, and measures it. Watches are not measured: they last as long as their clients like. */
export function accessLog(log: Logger, observe?: Observe): Middleware {
  return (ctx, next) => {
    ctx.res.on('close', () => report(ctx, log, observe));
    return next();
  };
}

function report({ res, state }: Context, log: Logger, observe: Observe | undefined): void {
  const milliseconds = performance.now() - state.startedAt;
  const status = res.writableEnded || state.watch !== undefined ? res.statusCode : CLIENT_GONE;
  if (state.watch === undefined) observe?.(state.method, state.mount?.prefix ?? '', status, milliseconds / 1000);
  if (!log.isLevelEnabled('debug')) return;
  const { auditId, method, path, impersonator, user } = state;
  const { name } = impersonator ?? user;
  log.debug({ auditId, method, path, status, user: name, ms: Math.round(milliseconds * 10) / 10 }, 'request');
}
