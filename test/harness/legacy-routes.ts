import { legacyRouters } from '../../apis/kinds.js';
import { bootRouter, searchRouter } from '../../apis/system/router.js';
import type { LegacyRoute } from '../../registry/legacy/router.js';
import { accountsFor, ENVIRONMENT, type Server } from './server.js';

/** `path` is below `/api`. */
export interface ListedRoute extends Pick<LegacyRoute, 'path' | 'body' | 'answer' | 'query' | 'notes'> {
  readonly method: string;
}

/** All routes of the legacy API, in the order in which the router matches them. */
export function legacyRoutesOf(server: Pick<Server, 'api'>): readonly ListedRoute[] {
  return legacyRouters(servicesOf(server)).flatMap(({ table }) => table);
}

/** The routes of the legacy API that are not below `/api`, with their whole paths. */
export function routesElsewhereOf(server: Pick<Server, 'api'>): readonly ListedRoute[] {
  const services = servicesOf(server);
  return [bootRouter(services), searchRouter(services)].flatMap(({ table }) => table);
}

function servicesOf({ api }: Pick<Server, 'api'>) {
  const organizations = {
    byId: () => undefined,
    byNamespace: () => undefined,
    activeOf: () => undefined,
    mayKnow: () => false,
  };
  return {
    registry: api.registry,
    environment: ENVIRONMENT,
    organizations,
    ...accountsFor(api, ENVIRONMENT),
  };
}
