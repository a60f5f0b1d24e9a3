import type { ApiRequest, ApiResponse, Handler } from '../../pkg/http/handler.js';
import { JSON_TYPE } from '../../pkg/http/json.js';
import { matches, parseAccept } from '../../pkg/http/negotiation/accept.js';
import { encodeDocument, readOnly, serveDocument } from '../../pkg/http/negotiation/document.js';
import { notAcceptable } from '../../pkg/kube/status/errors.js';
import { lazy } from '../../pkg/system/object/lazy.js';

/** The name that clients send, and the name that the server answers with. Go's mime package cannot parse the `@`. */
const protobufNames = (version: string): readonly [string, string] => [
  `com.github.proto-openapi.spec.${version}@v1.0+protobuf`,
  `com.github.proto-openapi.spec.${version}.v1.0+protobuf`,
];
export const V2_PROTOBUF = protobufNames('v2');
export const V3_PROTOBUF = protobufNames('v3');

/** The document in the format that the client likes best. Throws 406 if it accepts neither. */
export function acceptable<T>(
  request: ApiRequest,
  json: () => T,
  names: readonly [string, string],
  protobuf: () => T,
): T {
  for (const range of parseAccept(request.headers['accept'])) {
    if (matches(range, 'application', 'json')) return json();
    if (range.type === 'application' && names.includes(range.subtype)) return protobuf();
  }
  throw notAcceptable([JSON_TYPE, `application/${names[1]}`]);
}

/** The handler of a document that is JSON only. It is made at its first request. */
export function jsonDocumentRoute(make: () => unknown): Handler {
  const document = lazy(() => encodeDocument(make(), JSON_TYPE));
  return readOnly((request) => servingJson(request, () => serveDocument(request, document())));
}

/** Throws 406 if the client accepts no JSON. */
export function servingJson(request: ApiRequest, answer: () => ApiResponse): ApiResponse {
  const ranges = parseAccept(request.headers['accept']);
  if (!ranges.some((range) => matches(range, 'application', 'json'))) throw notAcceptable([JSON_TYPE]);
  return answer();
}
