import type { ApiRequest } from '../../pkg/http/exchange.js';
import { badRequest, notFound } from '../../pkg/status/errors.js';
import { entryAttributes } from '../authorization/authorizer.js';
import { convertedBytes } from '../conversion.js';
import type { Entry } from '../reader.js';
import { awaitRevision } from './freshness.js';
import { parseRevision } from './query.js';
import { renderObject } from './render.js';
import type { Target, Verb } from './verb.js';

/** GET of one object, not older than `resourceVersion`. The `ETag` can be used in `If-Match` of PUT. */
export const get: Verb = async (request, target) => {
  const { registry, kind } = target;
  if (request.query.has('resourceVersionMatch')) {
    throw badRequest('resourceVersionMatch is not supported for a single object');
  }
  await awaitRevision(registry.cacher, parseRevision(request.query.get('resourceVersion')), request);
  const entry = authorizedEntry(request, target, 'get');
  return renderObject(request, target, 200, convertedBytes(kind, entry.value), { etag: `"${entry.revision}"` });
};

/** The object at the newest state. Throws 403, and 404 only to callers who may learn that it does not exist. */
export function authorizedEntry({ user }: ApiRequest, { registry, kind, info }: Target, verb: string): Entry {
  const { namespace, name, subresource } = info;
  const { reader, authorizer } = registry;
  const entry = reader.entry(kind.qualified, namespace, name);
  const object = entry && { object: entryAttributes(entry) };
  authorizer.authorize({ user, verb, kind, namespace, name, subresource, ...object }, reader);
  if (entry === undefined) throw notFound(kind, name);
  return entry;
}
