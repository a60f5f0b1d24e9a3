import type { ApisEnvironment } from '../../apis/environment.js';
import { organizationChoice } from '../../apis/iam/organization/legacy/choice.js';
import { legacyRouters } from '../../apis/kinds.js';
import type { Operation } from '../../apis/system/administration.js';
import { bootRouter, searchMount, searchRouter } from '../../apis/system/router.js';
import type { Mount } from '../../pkg/http/mounts.js';
import { addRoute, createRouter, type Endpoints, nestRouters, routerEndpoints } from '../../pkg/http/router.js';
import { API_VERSION } from '../../registry/discovery/resource.js';
import type { Registry } from '../../registry/kinds/registry.js';
import { renderLegacyError } from '../../registry/legacy/errors.js';
import { legacyOpenApiRoute, type PlacedTable } from '../../registry/legacy/openapi.js';
import type { Accounts } from './accounts.js';
import { productVersion } from './version.js';

const renderError = renderLegacyError;
const LEGACY: Mount = { prefix: '/api', renderError };
const DOCUMENT = '/openapi/legacy';
const CORE: Mount = { prefix: '/api', isResourceApi: true };

/**
 * The legacy API. It shares `/api` with Kubernetes' core group. The core group has `/api` itself and the paths below a
 * version (`/api/v1/pods`), except those that the legacy API has routes for (`/api/v1/provisioning`).
 */
export function legacyEndpoints(
  registry: Registry,
  environment: ApisEnvironment,
  accounts: Accounts,
  operation: Operation = {},
): readonly Endpoints[] {
  const organizations = organizationChoice(registry, environment);
  const services = { registry, environment, organizations, ...accounts };
  const routers = legacyRouters(services, operation);
  const paths = routers.flatMap(({ stack }) => stack.map(({ path }) => `/api${path}`));
  const versioned = new Set(paths.map(groupOf));
  const select = (path: string): Mount => (isCore(path, versioned) ? CORE : LEGACY);
  const boot = bootRouter(services);
  const search = searchRouter(services);
  const tables = [
    ...routers.map(({ table }) => ({ prefix: '/api', table })),
    { prefix: '', table: [...boot.table, ...search.table] },
  ];
  return [
    routerEndpoints(nestRouters('/api', routers), [
      { prefix: '/api', select },
      { prefix: '/api/health', isPublic: true, bodyBytes: 0, renderError },
    ]),
    routerEndpoints(boot, [{ prefix: '/bootdata', bodyBytes: 0, renderError }]),
    routerEndpoints(search, [{ prefix: searchMount(environment.domain), bodyBytes: 0, isUnlisted: true }]),
    documentEndpoints(tables),
  ];
}

/** The OpenAPI document of the legacy API, beside those of the resource API. */
function documentEndpoints(tables: readonly PlacedTable[]): Endpoints {
  const router = createRouter();
  const options = { title: 'dashboard-apiserver: legacy API', version: productVersion() };
  addRoute(router, 'ANY', DOCUMENT, legacyOpenApiRoute(tables, options));
  return routerEndpoints(router, [{ prefix: DOCUMENT, bodyBytes: 0 }]);
}

function isCore(path: string, legacy: ReadonlySet<string>): boolean {
  const [, , version = ''] = path.split('/', 3);
  return version === '' || (API_VERSION.test(version) && !legacy.has(groupOf(path)));
}

/** The first three segments of a path: `/api/v1/provisioning`. */
function groupOf(path: string): string {
  return path.split('/', 4).join('/');
}
