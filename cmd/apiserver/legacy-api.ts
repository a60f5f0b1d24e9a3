import { organizationChoice } from '../../apis/iam/organization/legacy/choice.js';
import { legacyRoutes } from '../../apis/legacy.js';
import type { ShownSettings } from '../../apis/system/administration.js';
import { bootRoutes } from '../../apis/system/router.js';
import { renderStatus } from '../../pkg/http/errors.js';
import type { Route } from '../../pkg/http/routes.js';
import { API_VERSION } from '../../registry/discovery/resource.js';
import type { KindEnvironment } from '../../registry/kind.js';
import type { LegacyServices } from '../../registry/legacy/call.js';
import { renderLegacyError } from '../../registry/legacy/errors.js';
import { legacyHandler } from '../../registry/legacy/mount.js';
import type { Accounts } from './accounts.js';
import type { RunningResourceApi } from './resource-api.js';

/**
 * `/api` is shared by two doors: Kubernetes' core group has `/api` and all below a version (`/api/v1/pods`), whether it is there or not, but
 * for what the legacy interface has routes for (`/api/v1/provisioning`); everything else is the legacy interface.
 */
export function sharedRoutes(
  resources: RunningResourceApi,
  environment: KindEnvironment,
  accounts: Accounts,
  settings: ShownSettings = {},
): readonly Route[] {
  const { registry, handler } = resources;
  const services: LegacyServices = {
    registry,
    organizations: (call) => organizationChoice(call, environment),
  };
  const routes = legacyRoutes(environment, { environment, ...accounts }, settings);
  const legacy = legacyHandler('/api', routes, services);
  const boot = legacyHandler('', bootRoutes(environment), services);
  const own = new Set(routes.map(({ path }) => placeOf(`/api${path}`)));
  const isCore = (path: string): boolean => isCorePath(path, own);
  const renderError: Route['renderError'] = (error, request) =>
    isCore(request.path) ? renderStatus(error, request) : renderLegacyError(error);
  return [
    { prefix: '/api', handler: (request) => (isCore(request.path) ? handler : legacy)(request), renderError },
    { prefix: '/api/health', handler: legacy, renderError: renderLegacyError, open: true },
    { prefix: '/bootdata', handler: boot, renderError: renderLegacyError },
  ];
}

function isCorePath(path: string, legacy: ReadonlySet<string>): boolean {
  const [, , version = ''] = path.split('/', 3);
  return version === '' || (API_VERSION.test(version) && !legacy.has(placeOf(path)));
}

/** `/api/v1/provisioning` of anything below it. */
function placeOf(path: string): string {
  return path.split('/', 4).join('/');
}
