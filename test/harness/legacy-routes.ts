import { legacyRouters } from '../../apis/legacy.js';
import { accountsFor, ENVIRONMENT, type Server } from './server.js';

export interface ListedRoute {
  readonly method: string;
  /** Below `/api`. */
  readonly path: string;
}

/** Every route of the legacy API, in the order in which the router tries them. */
export function legacyRoutesOf({ api }: Server): readonly ListedRoute[] {
  const organizations = () => ({ byId: () => undefined, byNamespace: () => undefined, activeOf: () => undefined });
  const services = {
    registry: api.registry,
    environment: ENVIRONMENT,
    organizations,
    ...accountsFor(api, ENVIRONMENT),
  };
  const layers = legacyRouters(services).flatMap(({ stack }) => stack);
  // HEAD comes before GET, by which it is served.
  return layers.map(({ methods, path }) => ({ method: methods.at(-1) ?? '', path: String(path) }));
}
