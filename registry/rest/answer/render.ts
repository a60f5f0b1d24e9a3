import type { ApiRequest, ApiResponse } from '../../../pkg/http/handler.js';
import { encodeJson, wantsPretty } from '../../../pkg/http/json.js';
import { FORM_HEADERS } from '../../../pkg/http/negotiation/entity-tag.js';
import { isFormedLate, LARGE_FORM } from '../../../pkg/http/negotiation/forms.js';
import { PLAIN } from '../../../pkg/kube/json/json-steps.js';
import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import { extended } from '../../../pkg/system/object/extended.js';
import type { Steps } from '../../../pkg/system/yielding/steps.js';
import type { Bytes } from '../../../storage/backend.js';
import { decodedInSteps, decodeObject, revisionOf, textSteps } from '../../../storage/state/codec.js';
import {
  convertedBytes,
  convertedObject,
  isServedAsStored,
  type StoredBytes,
  servedSteps,
} from '../../kinds/conversion.js';
import { bytesSteps } from '../../read/bytes-steps.js';
import { isLong } from '../../read/reader.js';
import { includeObjectOf, type NamedKind, negotiate } from '../../table/negotiate.js';
import { partialMetadataOf } from '../../table/partial.js';
import { objectTable } from '../../table/table.js';
import type { VerbTarget } from '../verb.js';

export const JSON_TYPE = { 'content-type': 'application/json', vary: FORM_HEADERS } as const;

/** Whether the answer of an object is made of the object, and not of its bytes. */
export function isMadeOfObject(request: ApiRequest, { kind }: VerbTarget, entry: StoredBytes): boolean {
  return negotiate(request.headers['accept'], 'object', kind).as !== 'object' || !isServedAsStored(kind, entry);
}

/** Answers with one object. It sends the stored bytes, unless the client prefers another representation. */
export function renderObject(
  request: ApiRequest,
  target: VerbTarget,
  status: number,
  stored: Bytes,
  headers: ApiResponse['headers'] = JSON_TYPE,
): ApiResponse & { readonly body: Uint8Array } {
  const { kind } = target;
  const { as } = negotiate(request.headers['accept'], 'object', kind);
  const all = headers['content-type'] === undefined ? extended(headers, JSON_TYPE) : headers;
  if (as === 'object') {
    const value = convertedBytes(kind, stored);
    const isSent = !wantsPretty(request) || isFormedLate(request, value);
    return { status, headers: all, body: isSent ? value : encodeJson(decodeObject(value), true) };
  }
  const form = formOf(request, target, convertedObject(kind, stored));
  return { status, headers: all, body: encodeJson(form, wantsPretty(request)) };
}

/** The table or the metadata of an object. */
function formOf(request: ApiRequest, { kind, registry }: VerbTarget, object: KubeObject): unknown {
  const { as, version } = negotiate(request.headers['accept'], 'object', kind);
  if (as !== 'Table') return partialMetadataOf(object, version);
  const now = new Date(registry.clock.now());
  return objectTable(kind, object, { includeObject: includeObjectOf(request.query), version, now });
}

/** The same as `renderObject`, in steps, for an object that may be large. */
export function* renderSteps(
  request: ApiRequest,
  target: VerbTarget,
  status: number,
  stored: Bytes,
  headers: ApiResponse['headers'] = JSON_TYPE,
): Steps<ApiResponse> {
  const answered = { value: stored, revision: () => revisionOf(stored) };
  if (!isLong({ size: stored.byteLength }) || !isMadeOfObject(request, target, answered))
    return renderObject(request, target, status, stored, headers);
  const body = yield* bodySteps(request, target, (yield* decodedInSteps(stored)) as KubeObject);
  return { status, headers: headers['content-type'] === undefined ? extended(headers, JSON_TYPE) : headers, body };
}

/** The body of an answer that is made of a large stored object, in steps. A large body is brought to its form later. */
export function* bodySteps(request: ApiRequest, target: VerbTarget, stored: KubeObject): Steps<Uint8Array> {
  const { as } = negotiate(request.headers['accept'], 'object', target.kind);
  const object = yield* servedSteps(target.kind, stored);
  const form = as === 'object' ? object : formOf(request, target, object);
  const body = yield* bytesSteps(textSteps(form, PLAIN));
  return body.byteLength >= LARGE_FORM ? body : encodeJson(form, wantsPretty(request));
}

/** Throws 406 or 400 if the client accepts no representation that the server has. */
export function checkRepresentation(request: ApiRequest, answer: 'object' | 'list', kind: NamedKind): void {
  const { as } = negotiate(request.headers['accept'], answer, kind);
  if (as === 'Table') includeObjectOf(request.query);
}
