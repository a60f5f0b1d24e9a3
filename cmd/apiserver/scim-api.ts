import type { ApisEnvironment } from '../../apis/environment.js';
import { organizationChoice } from '../../apis/iam/organization/legacy/choice.js';
import { LARGEST_BODY } from '../../apis/scim/discovery.js';
import { scimOpenApi } from '../../apis/scim/openapi/document.js';
import { scimHandler, scimMount } from '../../apis/scim/router.js';
import { addRoute, createRouter, type Endpoints, handle, routerEndpoints } from '../../pkg/http/router.js';
import { renderScimError } from '../../pkg/scim/errors.js';
import type { Registry } from '../../registry/kinds/registry.js';
import { jsonDocumentRoute } from '../../registry/openapi/formats.js';
import type { Accounts } from './accounts.js';
import { productVersion } from './version.js';

const DOCUMENT = '/openapi/scim';

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

/** The OpenAPI document of SCIM. */
export function scimDocument({ domain }: ApisEnvironment): Endpoints {
  const router = createRouter();
  const root = `${scimMount(domain)}/v0alpha1/namespaces/{namespace}`;
  const options = { title: 'dashboard-apiserver: SCIM', version: productVersion(), root };
  addRoute(
    router,
    'ANY',
    DOCUMENT,
    jsonDocumentRoute(() => scimOpenApi(options)),
  );
  return routerEndpoints(router, [{ prefix: DOCUMENT, bodyBytes: 0 }]);
}
