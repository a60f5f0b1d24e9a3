import type { ErrorRenderer } from './errors.js';
import type { Handler } from './exchange.js';

/** Everything below `/name` goes to one handler. */
export interface Route {
  /** One segment: `/apis`. It covers `/apis` itself and all below it. */
  readonly prefix: string;
  readonly handler: Handler;
  /** Served to anyone, without looking at credentials. */
  readonly open?: boolean;
  /** How this door words failures; by default a Kubernetes Status. */
  readonly renderError?: ErrorRenderer;
}

export type FindRoute = (path: string) => Route | undefined;

export function routeTable(routes: readonly Route[]): FindRoute {
  const table = new Map<string, Route>();
  for (const route of routes) {
    if (!/^\/[^/]*$/.test(route.prefix)) throw new Error(`Route ${route.prefix} must be a slash and one segment.`);
    if (table.has(route.prefix)) throw new Error(`There are two routes ${route.prefix}.`);
    table.set(route.prefix, route);
  }
  return (path) => {
    const end = path.indexOf('/', 1);
    return table.get(end === -1 ? path : path.slice(0, end));
  };
}
