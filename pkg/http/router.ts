import { Router as KoaRouter, type RouterContext } from '@koa/router';
import type { ApiRequest, ApiResponse } from './exchange.js';
import { answer } from './middleware/handle.js';
import type { Mount } from './mounts.js';
import type { Middleware, RequestState } from './request.js';

/** The routes of a part of the server. Requests that none of them answers go on to the next part. */
export type Router = KoaRouter<RequestState>;

/** A part of the server: the paths that it serves, and what answers them. It leaves other requests to the next part. */
export interface Endpoints {
  readonly mounts: readonly Mount[];
  readonly middleware: Middleware;
}

/** The parameters of a route's path, percent-encoded as they were sent. */
export type Params = Readonly<Record<string, string>>;

/** Throws ApiError for what the caller did; anything else becomes a 500. */
export type RouteHandler = (request: ApiRequest, params: Params) => Promise<ApiResponse>;

const VERBS = { GET: 'get', POST: 'post', PUT: 'put', PATCH: 'patch', DELETE: 'delete', ANY: 'all' } as const;

/** A method, or ANY for handlers that tell methods apart themselves. HEAD finds the routes of GET. */
export type Method = keyof typeof VERBS;

/** Paths are case-sensitive, and a slash at their end does not matter. Of several routes that fit, the one that was added first answers. */
export function createRouter(): Router {
  return new KoaRouter<RequestState>({ sensitive: true });
}

/** A router as part of the server. */
export function routerEndpoints(router: Router, mounts: readonly Mount[]): Endpoints {
  // What its type asks of a context the router itself puts there.
  return { mounts, middleware: router.routes() as unknown as Middleware };
}

/** `path` is as @koa/router takes it: `/teams/:teamId`. A parameter is one segment, and never empty. */
export function addRoute(router: Router, method: Method, path: string, handler: RouteHandler): void {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  router[VERBS[method]](path, (ctx: RouterContext<RequestState>) => {
    const { captures = [], state } = ctx;
    // The router's own parameters are decoded, so that a malformed one looks like any other.
    const params = Object.fromEntries(names.map((name, index) => [name, captures[index] ?? '']));
    return answer(state, handler(state, params));
  });
}
