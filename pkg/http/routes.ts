import type { ErrorRenderer } from './errors.js';
import type { Handler } from './exchange.js';

/** Everything below a path goes to one handler. */
export interface Route {
  /** `/apis` covers itself and all below it, but for what a longer prefix (`/apis/health`) covers. */
  readonly prefix: string;
  readonly handler: Handler;
  /** Served to anyone, without looking at credentials. */
  readonly open?: boolean;
  /** The resource API: its writes ask again in their commit whether the caller's credential counts, its reads say which version they take. */
  readonly isResourceApi?: boolean;
  /** How this door words failures; by default a Kubernetes Status. */
  readonly renderError?: ErrorRenderer;
}

export type FindRoute = (path: string) => Route | undefined;

export function routeTable(routes: readonly Route[]): FindRoute {
  const table = new Map<string, Route>();
  for (const route of routes) {
    if (!/^(\/|(\/[^/]+)+)$/.test(route.prefix))
      throw new Error(`Route ${route.prefix} must be a path without a slash at its end.`);
    if (table.has(route.prefix)) throw new Error(`There are two routes ${route.prefix}.`);
    table.set(route.prefix, route);
  }
  const deepest = Math.max(0, ...routes.map(({ prefix }) => prefix.split('/').length - 1));
  return (path) => {
    let found: Route | undefined;
    for (let depth = 1, end = 0; depth <= deepest && end !== -1; depth++) {
      end = path.indexOf('/', end + 1);
      found = table.get(end === -1 ? path : path.slice(0, end)) ?? found;
    }
    return found;
  };
}
