import type { ApiResponse } from '../../pkg/http/handler.js';
import { ScimError } from '../../pkg/scim/errors.js';
import type { Resource } from '../../pkg/scim/match.js';
import { DEFAULT_PAGE, LARGEST_PAGE } from '../../pkg/scim/query.js';
import { GROUP, type ResourceSchema, USER } from '../../pkg/scim/schema.js';
import type { ScimCall } from './call.js';

const CORE = 'urn:ietf:params:scim:schemas:core:2.0';
const TYPES = [USER, GROUP];

/** The most operations of a bulk request. */
export const MOST_OPERATIONS = 1_000;
/** The most bytes of a body. */
export const LARGEST_BODY = 2 ** 22;

/** What the server can do (RFC 7643 §5, RFC 9865 §4). */
export function serviceProviderConfig(call: ScimCall): ApiResponse {
  const supported = { supported: true };
  return call.answer(200, {
    schemas: [`${CORE}:ServiceProviderConfig`],
    patch: supported,
    bulk: { supported: true, maxOperations: MOST_OPERATIONS, maxPayloadSize: LARGEST_BODY },
    filter: { supported: true, maxResults: LARGEST_PAGE },
    changePassword: supported,
    sort: supported,
    etag: supported,
    pagination: {
      cursor: true,
      index: true,
      defaultPaginationMethod: 'index',
      defaultPageSize: DEFAULT_PAGE,
      maxPageSize: LARGEST_PAGE,
    },
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'Bearer token',
        description: 'The token of a service account',
        specUri: 'https://www.rfc-editor.org/info/rfc6750',
        primary: true,
      },
    ],
    meta: { resourceType: 'ServiceProviderConfig', location: `${call.base}/ServiceProviderConfig` },
  });
}

export function resourceTypes(call: ScimCall, id?: string): ApiResponse {
  return listed(
    call,
    TYPES.map((type) => typeResource(call, type)),
    id,
  );
}

export function schemas(call: ScimCall, id?: string): ApiResponse {
  return listed(
    call,
    TYPES.map((type) => schemaResource(call, type)),
    id,
  );
}

function typeResource({ base }: ScimCall, { type, endpoint, urn, description }: ResourceSchema): Resource {
  return {
    schemas: [`${CORE}:ResourceType`],
    id: type,
    name: type,
    endpoint,
    description,
    schema: urn,
    meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${type}` },
  };
}

function schemaResource({ base }: ScimCall, { urn, type, description, own }: ResourceSchema): Resource {
  return {
    schemas: [`${CORE}:Schema`],
    id: urn,
    name: type,
    description,
    attributes: own,
    meta: { resourceType: 'Schema', location: `${base}/Schemas/${urn}` },
  };
}

/** These lists have neither pages nor filters (RFC 7644 §4). */
function listed(call: ScimCall, all: readonly Resource[], id: string | undefined): ApiResponse {
  if (call.request.query.has('filter')) throw new ScimError(403, undefined, 'this list cannot be filtered');
  if (id === undefined)
    return call.answer(200, {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
      totalResults: all.length,
      itemsPerPage: all.length,
      startIndex: 1,
      Resources: all,
    });
  const found = all.find((one) => String(one['id']).toLowerCase() === id.toLowerCase());
  if (found === undefined) throw new ScimError(404, undefined, 'there is no such resource');
  return call.answer(200, found);
}
