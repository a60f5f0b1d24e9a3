import { type LegacyRouter, legacyRouter } from '../../../../registry/legacy/router.js';
import type { ConfiguredServices } from '../../../environment.js';
import { exportRoutes } from './export.js';
import { groupRoutes } from './groups.js';
import { ruleRoutes } from './rules.js';
import { viewRoutes } from './views.js';

/** Alert rules: the provisioning API, and the rules as Prometheus shows them. */
export function alertRuleRouter(services: ConfiguredServices): LegacyRouter {
  const { environment } = services;
  return legacyRouter(
    services,
    exportRoutes(environment),
    ruleRoutes(environment),
    groupRoutes(environment),
    viewRoutes(environment),
  );
}
