import { legacyRoutes } from '../../apis/legacy.js';
import { organizationChoice } from '../../apis/organization/legacy/choice.js';
import { bootRoutes } from '../../apis/system/legacy.js';
import type { ShownSettings } from '../../apis/system/settings.js';
import { renderStatus } from '../../pkg/http/errors.js';
import type { Route } from '../../pkg/http/routes.js';
import type { KindEnvironment } from '../../registry/kind.js';
import type { LegacyServices } from '../../registry/legacy/call.js';
import { renderLegacyError } from '../../registry/legacy/errors.js';
import { legacyHandler } from '../../registry/legacy/mount.js';
import type { Accounts } from './accounts.js';
import type { RunningResourceApi } from './resource-api.js';

/**
 * `/api` is shared by two doors: Kubernetes' core group has `/api`, `/api/v1` and its resources below that; everything else is the legacy
 * interface, `/api/v1/sso-settings` too.
 */
export function sharedRoutes(
  resources: RunningResourceApi,
  environment: KindEnvironment,
  accounts: Accounts,
  settings: ShownSettings = {},
): readonly Route[] {
  const { registry, stores, handler } = resources;
  const services: LegacyServices = {
    registry,
    stores,
    organizations: (call) => organizationChoice(call, environment),
  };
  const legacy = legacyHandler(
    '/api',
    legacyRoutes(environment, { environment, registry, stores, ...accounts }, settings),
    services,
  );
  const boot = legacyHandler('', bootRoutes(environment), services);
  const core = new Set([
    'namespaces',
    ...registry.kinds.filter(({ group }) => group === '').map((kind) => kind.resource),
  ]);
  const isCore = (path: string): boolean => isCorePath(path, core);
  const renderError: Route['renderError'] = (error, request) =>
    isCore(request.path) ? renderStatus(error, request) : renderLegacyError(error);
  return [
    { prefix: '/api', handler: (request) => (isCore(request.path) ? handler : legacy)(request), renderError },
    { prefix: '/api/health', handler: legacy, renderError: renderLegacyError, open: true },
    { prefix: '/bootdata', handler: boot, renderError: renderLegacyError },
  ];
}

function isCorePath(path: string, resources: ReadonlySet<string>): boolean {
  const [, , version, resource = ''] = path.split('/', 4);
  if (version === undefined || version === '') return true;
  return version === 'v1' && (resource === '' || resources.has(resource));
}
