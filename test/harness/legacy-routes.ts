import type { z } from 'zod';
import { legacyRouters } from '../../apis/kinds.js';
import { bootRouter, searchRouter } from '../../apis/system/router.js';
import { accountsFor, ENVIRONMENT, type Server } from './server.js';

export interface ListedRoute {
  readonly method: string;
  /** The path below `/api`. */
  readonly path: string;
  /** The schema of the body in the documentation. */
  readonly body?: z.ZodType;
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
