import type { Logger } from 'pino';
import { type RequestOperation, routeOperation } from '../operation.js';
import type { Context, Middleware } from '../pipeline.js';
import type { RequestState } from '../request.js';

/**
 * Called when the response of a request is sent, or its client is gone. `seconds` is undefined for watches, which last
 * as long as their clients like.
 */
export type Observe = (operation: RequestOperation, status: number, seconds: number | undefined) => void;

/** nginx's code for a client that left before its response was whole. */
const CLIENT_GONE = 499;

/** Logs each request at the level debug, and measures it. */
export function accessLog(log: Logger, observe?: Observe): Middleware {
  return (ctx, next) => {
    ctx.res.on('close', () => report(ctx, log, observe));
    return next();
  };
}

function report({ res, state }: Context, log: Logger, observe: Observe | undefined): void {
  const milliseconds = performance.now() - state.startedAt;
  const status = res.writableEnded || state.watch !== undefined ? res.statusCode : CLIENT_GONE;
  observe?.(operationOf(state), status, state.watch === undefined ? milliseconds / 1000 : undefined);
  const { auditId, method, path, impersonator, user, fault } = state;
  if (fault !== undefined) log.error({ err: fault, auditId, method, path, status }, 'the answer could not be made');
  if (!log.isLevelEnabled('debug')) return;
  const { name } = impersonator ?? user;
  log.debug({ auditId, method, path, status, user: name, ms: Math.round(milliseconds * 10) / 10 }, 'request');
}

/** What the request does, as far as it is known. */
export function operationOf({ operation, method, mount }: RequestState): RequestOperation {
  return operation ?? routeOperation(method, mount?.prefix ?? '');
}
