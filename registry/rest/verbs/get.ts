import type { ApiRequest, ApiResponse } from '../../../pkg/http/handler.js';
import { FORM_HEADERS, formTag, matchesTag } from '../../../pkg/http/negotiation/entity-tag.js';
import { isFormedLate } from '../../../pkg/http/negotiation/forms.js';
import { badRequest, notFound } from '../../../pkg/kube/status/errors.js';
import { runStepsYielding } from '../../../pkg/system/yielding/yielding.js';
import { entryAttributes } from '../../kinds/authorizer.js';
import { newestEntry } from '../../kinds/orphans.js';
import { type Entry, isLong, parsedInSteps } from '../../read/reader.js';
import { bodySteps, isMadeOfObject, JSON_TYPE, renderObject } from '../answer/render.js';
import { awaitRevision } from '../options/freshness.js';
import { parseRevision, type RequestedRevision } from '../options/query.js';
import type { Verb, VerbTarget } from '../verb.js';

/**
 * GET of one object, not older than `resourceVersion`. The `ETag` of any form can be used in `If-Match` of writes, and
 * in `If-None-Match` of a GET of the same form.
 */
export const get: Verb = (request, target) => {
  const wanted = request.query.size === 0 ? undefined : wantedRevision(request.query);
  const waiting = awaitRevision(target.registry.cacher, wanted, request);
  return waiting === undefined ? answer(request, target) : waiting.then(() => answer(request, target));
};

/** Throws 400 for parameters that a get does not have. */
function wantedRevision(query: URLSearchParams): RequestedRevision | undefined {
  if (query.has('resourceVersionMatch')) {
    throw badRequest('resourceVersionMatch is not supported for a single object');
  }
  if (query.has('export')) throw badRequest('the export parameter, deprecated since v1.14, is no longer supported');
  return parseRevision(query.get('resourceVersion'));
}

/** In the tag of an answer that is not made yet. */
const INDENTED = Buffer.from('indented');

function answer(request: ApiRequest, target: VerbTarget): ApiResponse | Promise<ApiResponse> {
  const entry = authorizedEntry(request, target, 'get');
  if (isLong(entry)) return largeAnswer(request, target, entry);
  const { value } = entry;
  return answerWith(request, entry, value, renderObject(request, target, 200, value).body);
}

async function largeAnswer(request: ApiRequest, target: VerbTarget, entry: Entry): Promise<ApiResponse> {
  const value = await entry.read();
  const body = isMadeOfObject(request, target, entry)
    ? await runStepsYielding(bodySteps(request, target, await parsedInSteps(entry)))
    : renderObject(request, target, 200, value).body;
  return answerWith(request, entry, value, body);
}

/**
 * `value` are the stored bytes, which may be the body. They have their version as tag. Anything else has a hash, too:
 * the definition of the kind may change what an object is served as, and a table has the age of the object.
 */
function answerWith(request: ApiRequest, { revision }: Entry, value: Uint8Array, body: Uint8Array): ApiResponse {
  const made = body !== value ? body : isFormedLate(request, value) ? INDENTED : undefined;
  const tag = formTag(String(revision), request.headers['accept'], made);
  const etag = `"${tag}"`;
  if (matchesTag(request.headers['if-none-match'], tag)) return { status: 304, headers: { vary: FORM_HEADERS, etag } };
  const headers = { 'content-type': JSON_TYPE['content-type'], vary: FORM_HEADERS, etag };
  return { status: 200, headers, body };
}

/** The object at the newest state. Throws 403, and 404 only for callers who may learn that it does not exist. */
export function authorizedEntry({ user }: ApiRequest, { registry, kind, info }: VerbTarget, verb: string): Entry {
  const { namespace, name, subresource } = info;
  const entry = newestEntry(registry, kind, namespace, name);
  const object = entry && { object: entryAttributes(entry) };
  registry.authorizer.authorize({ user, verb, kind, namespace, name, subresource, ...object }, registry.reader);
  if (entry === undefined) throw notFound(kind, name);
  return entry;
}
