import { badRequest, notFound } from '../../pkg/status/errors.js';
import { entryAttributes } from '../authorization/authorizer.js';
import { convertedBytes } from '../conversion.js';
import { awaitRevision } from './freshness.js';
import { parseRevision } from './query.js';
import { renderObject } from './render.js';
import type { Verb } from './verb.js';

/** GET of one object; `resourceVersion` asks for one not older than that. The `ETag` is what `If-Match` of PUT takes. */
export const get: Verb = async (request, target) => {
  const { registry, kind, info } = target;
  if (request.query.has('resourceVersionMatch')) {
    throw badRequest('resourceVersionMatch is not supported for a single object');
  }
  await awaitRevision(registry.cacher, parseRevision(request.query.get('resourceVersion')), request);
  const { namespace, name } = info;
  const { reader, authorizer } = registry;
  const entry = reader.entry(kind.qualified, namespace, name);
  const object = entry && { object: entryAttributes(entry) };
  authorizer.authorize({ user: request.user, verb: 'get', kind, namespace, name, ...object }, reader);
  if (entry === undefined) throw notFound(kind, info.name);
  return renderObject(request, target, 200, convertedBytes(kind, entry.value), { etag: `"${entry.revision}"` });
};
