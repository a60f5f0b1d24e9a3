import type Koa from 'koa';
import type { RequestState } from './request.js';

/**
 * Koa's context of a request. Its state is the request as handlers see it, and what the middlewares leave for each
 * other.
 */
export type Context = Koa.ParameterizedContext<RequestState>;
/** Undefined: it is done. Otherwise it is done when the promise resolves. */
export type Done = Promise<void> | undefined;
/** `next` calls the rest of the pipeline. */
export type Middleware = (ctx: Context, next: () => Done) => Done;
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

/** Calls a function after a step: at once if the step is done. */
export function after(done: Done, ctx: Context, then: (ctx: Context) => Done): Done {
  return done === undefined ? then(ctx) : done.then(() => then(ctx));
}
