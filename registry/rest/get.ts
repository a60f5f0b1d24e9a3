import type { ApiRequest, ApiResponse } from '../../pkg/http/handler.js';
import { matchesTag } from '../../pkg/negotiation/document.js';
import { badRequest, notFound } from '../../pkg/status/errors.js';
import { entryAttributes } from '../authorization/authorizer.js';
import { newestEntry } from '../read/collection.js';
import type { Entry } from '../read/reader.js';
import { awaitRevision } from './freshness.js';
import { parseRevision } from './query.js';
import { JSON_TYPE, renderObject } from './render.js';
import type { Target, Verb } from './verb.js';

/** GET of one object, not older than `resourceVersion`. The `ETag` can be used in `If-Match` of PUT and in `If-None-Match` of GET. */
export const get: Verb = (request, target) => {
  if (request.query.has('resourceVersionMatch')) {
    throw badRequest('resourceVersionMatch is not supported for a single object');
  }
  if (request.query.has('export'))
    throw badRequest('the export parameter, deprecated since v1.14, is no longer supported');
  const wanted = parseRevision(request.query.get('resourceVersion'));
  const waiting = awaitRevision(target.registry.cacher, wanted, request);
  return waiting === undefined ? answer(request, target) : waiting.then(() => answer(request, target));
};

function answer(request: ApiRequest, target: Target): ApiResponse {
  const entry = authorizedEntry(request, target, 'get');
  const etag = `"${entry.revision}"`;
  if (matchesTag(request.headers['if-none-match'], String(entry.revision))) return { status: 304, headers: { etag } };
  return renderObject(request, target, 200, entry.value, { 'content-type': JSON_TYPE['content-type'], etag });
}

/** The object at the newest state. Throws 403, and 404 only for callers who may learn that it does not exist. */
export function authorizedEntry({ user }: ApiRequest, { registry, kind, info }: Target, verb: string): Entry {
  const { namespace, name, subresource } = info;
  const entry = newestEntry(registry, kind, namespace, name);
  const object = entry && { object: entryAttributes(entry) };
  registry.authorizer.authorize({ user, verb, kind, namespace, name, subresource, ...object }, registry.reader);
  if (entry === undefined) throw notFound(kind, name);
  return entry;
}
