import type { ApiRequest, ApiResponse } from '../../pkg/http/handler.js';
import { matchesTag } from '../../pkg/negotiation/document.js';
import { badRequest, notFound } from '../../pkg/status/errors.js';
import { entryAttributes } from '../authorization/authorizer.js';
import { newestEntry } from '../collection.js';
import type { Entry } from '../reader.js';
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
  return waiting === undefined ? read(request, target) : waiting.then(() => read(request, target));
};

function read(request: ApiRequest, target: Target): Promise<ApiResponse> | ApiResponse {
  const { registry, kind, info } = target;
  const found = newestEntry(registry, kind, info.namespace, info.name, request);
  if (found instanceof Promise) return found.then((entry) => answerWith(request, target, entry));
  return answerWith(request, target, found);
}

function answerWith(request: ApiRequest, target: Target, found: Entry | undefined): ApiResponse {
  const entry = authorized(request, target, 'get', found);
  const etag = `"${entry.revision}"`;
  if (matchesTag(request.headers['if-none-match'], String(entry.revision))) return { status: 304, headers: { etag } };
  return renderObject(request, target, 200, entry.value, { 'content-type': JSON_TYPE['content-type'], etag });
}

/** The object at the newest state. Rejects with 403, and with 404 only for callers who may learn that it does not exist. */
export async function authorizedEntry(request: ApiRequest, target: Target, verb: string): Promise<Entry> {
  const { registry, kind, info } = target;
  return authorized(request, target, verb, await newestEntry(registry, kind, info.namespace, info.name, request));
}

function authorized(
  { user }: ApiRequest,
  { registry, kind, info }: Target,
  verb: string,
  entry: Entry | undefined,
): Entry {
  const { namespace, name, subresource } = info;
  const object = entry && { object: entryAttributes(entry) };
  registry.authorizer.authorize({ user, verb, kind, namespace, name, subresource, ...object }, registry.reader);
  if (entry === undefined) throw notFound(kind, name);
  return entry;
}
