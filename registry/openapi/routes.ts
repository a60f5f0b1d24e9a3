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
import { notAcceptable } from '../../pkg/status/errors.js';
import { groupsOf } from '../discovery/resource.js';
import { rootPath } from '../discovery/routes.js';
import type { DescribedResource } from './schemas.js';
import { openApiV2 } from './v2.js';
import { type DocumentOptions, type OpenApiV3, openApiV3 } from './v3.js';

const JSON_TYPE = 'application/json';

/** The name that clients send, and the name that the server answers with. Go's mime package cannot parse the `@`. */
const V2_PROTOBUF = [
  'com.github.proto-openapi.spec.v2@v1.0+protobuf',
  'com.github.proto-openapi.spec.v2.v1.0+protobuf',
];
const V2_PROTOBUF_TYPE = `application/${V2_PROTOBUF[1]}`;

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
    return { path, value, document: lazy(() => encodeDocument(value(), JSON_TYPE)) };
  });
  const index = lazy(() => encodeDocument(indexOf(parts), JSON_TYPE));
  const routes = new Map<string, Handler>([
    ['/openapi/v2', v2(() => parts.map(({ value }) => value()), options)],
    ['/openapi/v3', readOnly((request) => servingJson(request, () => serveDocument(request, index())))],
  ]);
  for (const { path, document } of parts) {
    routes.set(
      path,
      readOnly((request) => servingJson(request, () => serveByHash(request, document()))),
    );
  }
  return routes;
}

interface Part {
  readonly path: string;
  readonly document: () => Document;
}

function indexOf(parts: readonly Part[]): unknown {
  const entries = parts.map(({ path, document }) => [
    path.slice('/openapi/v3/'.length),
    { serverRelativeURL: `${path}?hash=${document().hash}` },
  ]);
  return { paths: Object.fromEntries(entries) };
}

function serveByHash(request: ApiRequest, document: Document): ApiResponse {
  const hash = request.query.get('hash');
  if (hash === null) return serveDocument(request, document);
  if (hash !== document.hash) {
    const location = `${request.path}?hash=${document.hash}`;
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
  const protobuf = lazy(() => documentOf(encodeOpenApiV2(openApiV2(parts(), options)), V2_PROTOBUF_TYPE));
  return readOnly((request) => {
    for (const range of parseAccept(request.headers['accept'])) {
      if (matches(range, 'application', 'json')) return serveDocument(request, json());
      if (range.type === 'application' && V2_PROTOBUF.includes(range.subtype))
        return serveDocument(request, protobuf());
    }
    throw notAcceptable([JSON_TYPE, V2_PROTOBUF_TYPE]);
  });
}

/** Throws 406 if the client accepts no JSON. */
export function servingJson(request: ApiRequest, answer: () => ApiResponse): ApiResponse {
  const ranges = parseAccept(request.headers['accept']);
  if (!ranges.some((range) => matches(range, 'application', 'json'))) throw notAcceptable([JSON_TYPE]);
  return answer();
}
