import type { ApisEnvironment } from '../../apis/environment.js';
import type { Operation } from '../../apis/system/administration.js';
import type { Endpoints } from '../../pkg/http/router.js';
import type { Registry } from '../../registry/kinds/registry.js';
import type { Accounts } from './accounts.js';
import { legacyEndpoints } from './legacy-api.js';
import { scimDocument, scimEndpoints } from './scim-api.js';

/** The APIs that translate to the objects of the resource API: the legacy API and SCIM. */
export function adapterEndpoints(
  registry: Registry,
  environment: ApisEnvironment,
  accounts: Accounts,
  operation: Operation = {},
): readonly Endpoints[] {
  return [
    ...legacyEndpoints(registry, environment, accounts, operation),
    scimEndpoints(registry, environment, accounts),
    scimDocument(environment),
  ];
}
