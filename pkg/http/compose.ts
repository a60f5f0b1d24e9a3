import type { Done } from './done.js';
import type { Context, Middleware } from './request.js';

/** Calls middlewares in their order. */
export type Pipeline = (ctx: Context) => Done;

/**
 * Like koa-compose, but a request that need not wait is done when the call returns. Most reads are answered from
 * memory, without a promise at any step (docs/adr/0010). An error may be thrown, and may reject the promise.
 */
export function compose(middlewares: readonly Middleware[]): Pipeline {
  const end: Pipeline = () => undefined;
  return middlewares.reduceRight<Pipeline>((rest, middleware) => (ctx) => middleware(ctx, () => rest(ctx)), end);
}
