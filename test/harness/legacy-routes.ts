import type { z } from 'zod';
import { legacyRouters } from '../../apis/legacy.js';
import { accountsFor, ENVIRONMENT, type Server } from './server.js';

export interface ListedRoute {
  readonly method: string;
  /** The path below `/api`. */
  readonly path: string;
  /** The schema of the body in the documentation. */
  readonly body?: z.ZodType;
}

/** All routes of the legacy API, in the order in which the router matches them. */
export function legacyRoutesOf({ api }: Pick<Server, 'api'>): readonly ListedRoute[] {
  const organizations = {
    byId: () => undefined,
    byNamespace: () => undefined,
    activeOf: () => undefined,
    mayKnow: () => false,
  };
  const services = {
    registry: api.registry,
    environment: ENVIRONMENT,
    organizations,
    ...accountsFor(api, ENVIRONMENT),
  };
  return legacyRouters(services).flatMap(({ table }) => table);
}
