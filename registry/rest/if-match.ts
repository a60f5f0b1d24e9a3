import type { ApiRequest } from '../../pkg/http/exchange.js';
import { badRequest } from '../../pkg/status/errors.js';

/** The version that `If-Match` names: one strong entity tag as GET gives it (RFC 9110, section 13.1.1); `*` and none: any. */
export function ifMatch(request: ApiRequest): string | undefined {
  const text = request.headers['if-match']?.trim();
  if (text === undefined || text === '' || text === '*') return undefined;
  const tag = /^"([^"]*)"$/.exec(text)?.[1];
  if (tag === undefined) throw badRequest('If-Match must be one entity tag, as the ETag of GET gives it, or *');
  return tag;
}
