import { legacyRouters } from '../../apis/legacy.js';
import { accountsFor, ENVIRONMENT, type Server } from './server.js';

export interface ListedRoute {
  readonly method: string;
  /** The path below `/api`. */
  readonly path: string;
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
  const layers = legacyRouters(services).flatMap(({ stack }) => stack);
  // A GET route also serves HEAD, which is first in its methods.
  return layers.map(({ methods, path }) => ({ method: methods.at(-1) ?? '', path: String(path) }));
}
