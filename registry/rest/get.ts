import { badRequest, notFound } from '../../pkg/status/errors.js';
import { guardedEntry } from '../access/guarded.js';
import { stateView } from '../access/views.js';
import { objectKey } from '../registry.js';
import { shownBytes } from '../shown.js';
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
  const { state } = registry.cacher;
  const entry = state.resource(kind.qualified).get(objectKey(kind, info.namespace, info.name));
  const { namespace, name } = info;
  const object = entry && guardedEntry(entry);
  registry.access.check(
    { user: request.user, verb: 'get', kind, namespace, name, ...(object && { object }) },
    stateView(state),
  );
  if (entry === undefined) throw notFound(kind, info.name);
  return renderObject(request, target, 200, shownBytes(kind, entry.value), { etag: `"${entry.revision}"` });
};
