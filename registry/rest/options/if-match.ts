import type { ApiRequest } from '../../../pkg/http/handler.js';
import { versionOfTag } from '../../../pkg/http/negotiation/entity-tag.js';
import { badRequest } from '../../../pkg/kube/status/errors.js';

/**
 * The version in `If-Match`: one strong entity tag, the ETag of GET in any form (RFC 9110, section 13.1.1). `undefined`
 * for `*` and without the header.
 */
export function ifMatch(request: ApiRequest): string | undefined {
  const text = request.headers['if-match']?.trim();
  if (text === undefined || text === '' || text === '*') return undefined;
  const tag = /^"([^"]*)"$/.exec(text)?.[1];
  if (tag === undefined) throw badRequest('If-Match must be one entity tag, the ETag of GET, or *');
  return versionOfTag(tag);
}

/** Throws 400 if the request has a version in `If-Match`, which would not be checked. `instead` says what to do. */
export function refuseIfMatch(request: ApiRequest, instead: string): void {
  if (ifMatch(request) !== undefined) throw badRequest(`If-Match is not possible here: ${instead}`);
}
