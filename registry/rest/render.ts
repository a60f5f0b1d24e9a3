import type { ApiRequest, ApiResponse } from '../../pkg/http/handler.js';
import { encodeJson, wantsPretty } from '../../pkg/http/json.js';
import type { KubeObject } from '../../pkg/meta/types.js';
import { FORM_HEADERS } from '../../pkg/negotiation/entity-tag.js';
import { isFormedLate } from '../../pkg/negotiation/late-forms.js';
import { extended } from '../../pkg/object/extended.js';
import type { Bytes } from '../../storage/backend.js';
import { decodeObject } from '../../storage/state/codec.js';
import { convertedBytes, convertedObject, isServedAsStored, servedObject } from '../kinds/conversion.js';
import type { Entry } from '../read/reader.js';
import { includeObjectOf, type NamedKind, negotiate } from '../table/negotiate.js';
import { partialMetadataOf } from '../table/partial.js';
import { objectTable } from '../table/table.js';
import type { Target } from './verb.js';

export const JSON_TYPE = { 'content-type': 'application/json', vary: FORM_HEADERS } as const;

/** Whether the answer of an object is made of the object, and not of its bytes. */
export function isMadeOfObject(request: ApiRequest, { kind }: Target, entry: Entry): boolean {
  return negotiate(request.headers['accept'], 'object', kind).as !== 'object' || !isServedAsStored(kind, entry);
}

/** Answers with one object. It sends the stored bytes, unless the client prefers another representation. `parsed` is the stored object, if the caller has it. */
export function renderObject(
  request: ApiRequest,
  { kind, registry }: Target,
  status: number,
  stored: Bytes,
  headers: ApiResponse['headers'] = JSON_TYPE,
  parsed?: KubeObject,
): ApiResponse & { readonly body: Uint8Array } {
  const { as, version } = negotiate(request.headers['accept'], 'object', kind);
  const all = headers['content-type'] === undefined ? extended(headers, JSON_TYPE) : headers;
  if (as === 'object') {
    const value = convertedBytes(kind, stored, parsed);
    const isSent = !wantsPretty(request) || isFormedLate(request, value);
    return { status, headers: all, body: isSent ? value : encodeJson(decodeObject(value), true) };
  }
  const object = parsed === undefined ? convertedObject(kind, stored) : servedObject(kind, parsed);
  const table = () =>
    objectTable(kind, object, {
      includeObject: includeObjectOf(request.query),
      version,
      now: new Date(registry.clock.now()),
    });
  const body = as === 'Table' ? table() : partialMetadataOf(object, version);
  return { status, headers: all, body: encodeJson(body, wantsPretty(request)) };
}

/** Throws 406 or 400 if the client accepts no representation that the server has. */
export function checkRepresentation(request: ApiRequest, answer: 'object' | 'list', kind: NamedKind): void {
  const { as } = negotiate(request.headers['accept'], answer, kind);
  if (as === 'Table') includeObjectOf(request.query);
}
