import { Router as KoaRouter, type RouterContext } from '@koa/router';
import { ApiError } from '../kube/status/status.js';
import { discard } from './body-writer.js';
import type { ApiRequest, ApiResponse, Handler } from './handler.js';
import type { Mount } from './mounts.js';
import type { Done, Middleware } from './pipeline.js';
import type { RequestState } from './request.js';

/** The routes of a part of the server. Requests that none of them answers go on to the next part. */
export type Router = KoaRouter<RequestState>;

/** A part of the server: the paths that it serves, and their handlers. It leaves other requests to the next part. */
export interface Endpoints {
  readonly mounts: readonly Mount[];
  readonly middleware: Middleware;
}

/** The parameters of a route's path, percent-encoded as they were sent. */
export type Params = Readonly<Record<string, string>>;

/** Throws ApiError for what the caller did; anything else becomes a 500. */
export type RouteHandler = (request: ApiRequest, params: Params) => Promise<ApiResponse> | ApiResponse;

const VERBS = { GET: 'get', POST: 'post', PUT: 'put', PATCH: 'patch', DELETE: 'delete', ANY: 'all' } as const;

/** A method, or ANY for handlers that tell methods apart themselves. HEAD finds the routes of GET. */
export type Method = keyof typeof VERBS;

/**
 * Paths are case-sensitive, and a slash at their end does not matter. If several routes fit, the one that was added
 * first answers.
 */
export function createRouter(): Router {
  return new KoaRouter<RequestState>({ sensitive: true });
}

/** Routers as part of the server. They are not asked for paths under other mounts. */
export function routerEndpoints(routes: Router | Middleware, mounts: readonly Mount[]): Endpoints {
  const prefixes = new Set(mounts.map(({ prefix }) => prefix));
  const answers = typeof routes === 'function' ? routes : middlewareOf(routes);
  return {
    mounts,
    middleware: (ctx, next) => (prefixes.has(ctx.state.mount?.prefix ?? '') ? answers(ctx, next) : next()),
  };
}

/** The paths of the endpoints, without those that are unlisted. */
export function pathsOf(endpoints: readonly Endpoints[]): readonly string[] {
  return endpoints.flatMap(({ mounts }) =>
    mounts.filter((mount) => mount.isUnlisted !== true).map(({ prefix }) => prefix),
  );
}

/** The router adds the members that its type requires of the context. */
function middlewareOf(router: Router): Middleware {
  return router.routes() as unknown as Middleware;
}

/** `path` is as @koa/router takes it: `/teams/:teamId`. A parameter is one segment, and never empty. */
export function addRoute(router: Router, method: Method, path: string, handler: RouteHandler): void {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  router[VERBS[method]](path, (ctx: RouterContext<RequestState>) => {
    const { captures = [], state } = ctx;
    // The router's own parameters are decoded, so that a malformed one looks like any other.
    const params: Record<string, string> = {};
    for (const [index, name] of names.entries()) params[name] = captures[index] ?? '';
    return answer(state, () => handler(state, params));
  });
}

/**
 * Nests routers below a prefix of one segment, `/api`. A request is matched only with the routes that have its next
 * segment. A route is a regular expression, and matching a hundred of them takes up to a fifth of the CPU of a small
 * request.
 */
export function nestRouters(prefix: string, routers: readonly Router[]): Middleware {
  const bySegment = new Map<string, Router>();
  for (const layer of routers.flatMap(({ stack }) => stack)) {
    const segment = segmentOf(String(layer.path), 1);
    const router = bySegment.get(segment) ?? createRouter();
    router.stack.push(layer);
    bySegment.set(segment, router);
  }
  const nested = new Map<string, Middleware>();
  for (const [segment, router] of bySegment) {
    nested.set(segment, middlewareOf(createRouter().use(prefix, router.routes())));
  }
  return (ctx, next) => (nested.get(segmentOf(ctx.state.path, 2)) ?? leaveAlone)(ctx, next);
}

const leaveAlone: Middleware = (_, next) => next();

function segmentOf(path: string, index: number): string {
  return path.split('/', index + 1)[index] ?? '';
}

export function handle(handler: Handler): Middleware {
  return ({ state }) => answer(state, handler);
}

export function answer(state: RequestState, handler: Handler): Done {
  const response = state.identifyAgain === undefined ? handler(state) : identified(state, handler);
  if (response instanceof Promise) return response.then((late) => take(state, late));
  return take(state, response);
}

/** The client does not wait any more for a response that comes too late. */
function take(state: RequestState, response: ApiResponse): undefined {
  if (state.isGivenUp || state.isClosed) discard(response.body);
  else state.response = response;
}

/**
 * If the caller is refused, something has changed since the caller was found. This may be the groups and not the
 * credential. So the caller is looked up again, and only then refused. Nothing was written, because a commit that
 * refuses the caller writes nothing.
 */
async function identified(state: RequestState, handler: Handler): Promise<ApiResponse> {
  try {
    return await handler(state);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 401 || state.identifyAgain === undefined) throw error;
    await state.identifyAgain();
    return handler(state);
  }
}
