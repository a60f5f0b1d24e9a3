import type { ApiRequest, ApiResponse, Handler } from '../../pkg/http/handler.js';
import { matches, parseAccept } from '../../pkg/negotiation/accept.js';
import {
  type Document,
  documentOf,
  encodeDocument,
  lazy,
  readOnly,
  serveDocument,
} from '../../pkg/negotiation/document.js';
import { encodeOpenApiV2 } from '../../pkg/openapi/v2-protobuf.js';
import { encodeOpenApiV3 } from '../../pkg/openapi/v3-protobuf.js';
import { notAcceptable } from '../../pkg/status/errors.js';
import { groupsOf } from '../discovery/resource.js';
import { rootPath } from '../discovery/routes.js';
import type { DescribedResource } from './schemas.js';
import { openApiV2 } from './v2.js';
import { type DocumentOptions, type OpenApiV3, openApiV3 } from './v3.js';

const JSON_TYPE = 'application/json';

/** The name that clients send, and the name that the server answers with. Go's mime package cannot parse the `@`. */
const protobufNames = (version: string): readonly [string, string] => [
  `com.github.proto-openapi.spec.${version}@v1.0+protobuf`,
  `com.github.proto-openapi.spec.${version}.v1.0+protobuf`,
];
const V2_PROTOBUF = protobufNames('v2');
const V3_PROTOBUF = protobufNames('v3');

/** A URL with the hash of its content never changes its answer. */
const IMMUTABLE_SECONDS = 365 * 24 * 60 * 60;

/** The handlers of all OpenAPI paths, by exact path. A document is created and encoded at its first request. */
export function openApiRoutes(
  resources: readonly DescribedResource[],
  options: DocumentOptions,
): ReadonlyMap<string, Handler> {
  const versions = groupsOf(resources).flatMap((group) => group.versions);
  const parts = versions.map((version) => {
    const path = `/openapi/v3${rootPath(version)}`;
    const value = lazy(() => openApiV3(version, options));
    const json = lazy(() => encodeDocument(value(), JSON_TYPE));
    const protobuf = lazy(() => documentOf(encodeOpenApiV3(value()), `application/${V3_PROTOBUF[1]}`));
    return { path, value, json, protobuf };
  });
  const index = lazy(() => encodeDocument(indexOf(parts), JSON_TYPE));
  const routes = new Map<string, Handler>([
    ['/openapi/v2', v2(() => parts.map(({ value }) => value()), options)],
    // As in Kubernetes, this is JSON also for clients that ask for the documents in protobuf.
    ['/openapi/v3', readOnly((request) => serveDocument(request, index()))],
  ]);
  for (const { path, json, protobuf } of parts) {
    routes.set(
      path,
      readOnly((request) => serveByHash(request, json().hash, acceptable(request, json, V3_PROTOBUF, protobuf))),
    );
  }
  return routes;
}

interface Part {
  readonly path: string;
  readonly json: () => Document;
}

function indexOf(parts: readonly Part[]): unknown {
  const entries = parts.map(({ path, json }) => [
    path.slice('/openapi/v3/'.length),
    { serverRelativeURL: `${path}?hash=${json().hash}` },
  ]);
  return { paths: Object.fromEntries(entries) };
}

/** `current` is the hash in the URL of the index. It is that of the JSON for every format. */
function serveByHash(request: ApiRequest, current: string, document: Document): ApiResponse {
  const hash = request.query.get('hash');
  if (hash === null) return serveDocument(request, document);
  if (hash !== current) {
    const location = `${request.path}?hash=${current}`;
    return { status: 301, headers: { location, 'cache-control': 'no-cache, private' } };
  }
  return serveDocument(request, document, {
    'cache-control': `public, immutable, max-age=${IMMUTABLE_SECONDS}`,
    expires: new Date(Date.now() + IMMUTABLE_SECONDS * 1000).toUTCString(),
  });
}

/** `/openapi/v2`, in JSON, and in protobuf for Go's clients. */
function v2(parts: () => readonly OpenApiV3[], options: DocumentOptions): Handler {
  const json = lazy(() => encodeDocument(openApiV2(parts(), options), JSON_TYPE));
  const protobuf = lazy(() =>
    documentOf(encodeOpenApiV2(openApiV2(parts(), options)), `application/${V2_PROTOBUF[1]}`),
  );
  return readOnly((request) => serveDocument(request, acceptable(request, json, V2_PROTOBUF, protobuf)));
}

/** The document in the format that the client likes best. Throws 406 if it accepts neither. */
function acceptable(
  request: ApiRequest,
  json: () => Document,
  names: readonly [string, string],
  protobuf: () => Document,
): Document {
  for (const range of parseAccept(request.headers['accept'])) {
    if (matches(range, 'application', 'json')) return json();
    if (range.type === 'application' && names.includes(range.subtype)) return protobuf();
  }
  throw notAcceptable([JSON_TYPE, `application/${names[1]}`]);
}

/** Throws 406 if the client accepts no JSON. */
export function servingJson(request: ApiRequest, answer: () => ApiResponse): ApiResponse {
  const ranges = parseAccept(request.headers['accept']);
  if (!ranges.some((range) => matches(range, 'application', 'json'))) throw notAcceptable([JSON_TYPE]);
  return answer();
}
