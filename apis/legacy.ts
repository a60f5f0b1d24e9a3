import type { KindEnvironment } from '../registry/kind.js';
import type { LegacyRoute } from '../registry/legacy/route.js';
import { folderRoutes } from './folder/legacy.js';
import { organizationRoutes } from './organization/legacy.js';
import { systemRoutes } from './system/legacy.js';

/** The one list of adapters of the legacy interface. */
export function legacyRoutes(environment: KindEnvironment): readonly LegacyRoute[] {
  return [...folderRoutes(environment), ...organizationRoutes(environment), ...systemRoutes(environment)];
}
