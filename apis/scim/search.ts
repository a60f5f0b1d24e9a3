import type { ApiResponse } from '../../pkg/http/handler.js';
import { invalidFilter, ScimError } from '../../pkg/scim/errors.js';
import type { Resource } from '../../pkg/scim/match.js';
import { searchQuery } from '../../pkg/scim/query.js';
import { USER } from '../../pkg/scim/schema.js';
import type { ScimCall } from './call.js';
import { groupCollection } from './groups.js';
import { type Collection, listResponse } from './list.js';
import { userCollection } from './users.js';

/**
 * Searches users and groups together (RFC 7644 §3.4.3): first the users, then the groups. A filter by an attribute that
 * only one of them has finds only those.
 */
export async function searchAll(call: ScimCall): Promise<ApiResponse> {
  call.require('scim.users:read');
  call.require('scim.groups:read');
  const body = call.body();
  const query = searchQuery(body, USER);
  if (query.cursor !== undefined || query.sortBy !== undefined)
    throw new ScimError(501, undefined, 'users and groups together have neither cursor nor order: search one of them');
  const users = await part(userCollection(call), body);
  const before = Number(users?.['totalResults'] ?? 0);
  const shown = (users?.['Resources'] ?? []) as readonly Resource[];
  const startIndex = Math.max(1, query.startIndex - before);
  const groups = await part(groupCollection(call), {
    ...(body as object),
    startIndex,
    count: query.count - shown.length,
  });
  if (users === undefined && groups === undefined)
    throw invalidFilter('neither users nor groups have such an attribute');
  const resources = [...shown, ...((groups?.['Resources'] ?? []) as readonly Resource[])];
  return call.answer(200, {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
    totalResults: before + Number(groups?.['totalResults'] ?? 0),
    startIndex: query.startIndex,
    itemsPerPage: resources.length,
    Resources: resources,
  });
}

/** Undefined if the filter names what the resources do not have. */
async function part(collection: Collection, body: unknown): Promise<Resource | undefined> {
  try {
    return await listResponse(collection, searchQuery(body, collection.schema));
  } catch (error) {
    if (error instanceof ScimError && error.scimType === 'invalidFilter') return undefined;
    throw error;
  }
}
