import type { ApisEnvironment } from '../../apis/environment.js';
import { organizationChoice } from '../../apis/iam/organization/legacy/choice.js';
import { LARGEST_BODY } from '../../apis/scim/discovery.js';
import { scimHandler, scimMount } from '../../apis/scim/router.js';
import { type Endpoints, handle, routerEndpoints } from '../../pkg/http/router.js';
import { renderScimError } from '../../pkg/scim/errors.js';
import type { Registry } from '../../registry/kinds/registry.js';
import type { Accounts } from './accounts.js';

/** SCIM has the form of a group of the resource API, but no kinds: discovery does not list it. */
export function scimEndpoints(registry: Registry, environment: ApisEnvironment, accounts: Accounts): Endpoints {
  const organizations = organizationChoice(registry, environment);
  const handler = scimHandler({ registry, environment, organizations, ...accounts });
  const mount = {
    prefix: scimMount(environment.domain),
    renderError: renderScimError,
    bodyBytes: LARGEST_BODY,
    isUnlisted: true,
  };
  return routerEndpoints(handle(handler), [mount]);
}
