import type { Settings } from '../../pkg/config/schema.js';
import { type Check, healthHandler } from '../../pkg/http/health.js';
import { jsonResponse } from '../../pkg/http/json.js';
import type { Metrics } from '../../pkg/http/metrics/metrics.js';
import { addRoute, createRouter, type Endpoints, routerEndpoints } from '../../pkg/http/router.js';
import { versionHandler } from '../../pkg/http/version.js';
import type { UserInfo } from '../../pkg/identity/authn/user.js';

export interface OwnRoutes {
  readonly settings: Pick<Settings, 'api'>;
  readonly version: string;
  readonly metrics: Pick<Metrics, 'handler' | 'recent'>;
  /** Throws 401 or 403 for callers who may not read the metrics. */
  readonly authorizeMetrics: (user: UserInfo) => void;
  /** The readiness checks by name. */
  readonly readyChecks: Readonly<Record<string, Check>>;
  readonly onFailure: (check: string, error: unknown) => void;
}

/** The routes about the server itself. All but the metrics are public (test/permissions/own-routes.test.ts). */
export function ownEndpoints(own: OwnRoutes): Endpoints {
  const { settings, version, metrics, authorizeMetrics, readyChecks, onFailure } = own;
  const alive = healthHandler('livez', () => ({ ping: () => undefined }), onFailure);
  const router = createRouter();
  addRoute(router, 'ANY', '/version', versionHandler(version, settings.api.domain));
  // As in Kubernetes, a path may name one check.
  addRoute(router, 'GET', '/livez{/*check}', alive);
  addRoute(router, 'GET', '/healthz{/*check}', alive);
  addRoute(
    router,
    'GET',
    '/readyz{/*check}',
    healthHandler('readyz', () => readyChecks, onFailure),
  );
  addRoute(router, 'GET', '/metrics', async (request) => {
    authorizeMetrics(request.user);
    // For the console, which shows the last hour without a database of metrics.
    if (request.query.get('recent') === 'true') return jsonResponse(request, 200, await metrics.recent());
    return metrics.handler(request);
  });
  const open = ['/version', '/livez', '/healthz', '/readyz'];
  const mounts = [
    ...open.map((prefix) => ({ prefix, isPublic: true, bodyBytes: 0 })),
    { prefix: '/metrics', isAboutServer: true, bodyBytes: 0 },
  ];
  return routerEndpoints(router, mounts);
}
