import { createHash } from 'node:crypto';
import type { ApiRequest, ApiResponse, Handler } from '../../pkg/http/handler.js';
import { JSON_TYPE } from '../../pkg/http/json.js';
import {
  type Document,
  documentOf,
  encodeDocument,
  readOnly,
  serveDocument,
} from '../../pkg/http/negotiation/document.js';
import { OPENAPI_V2 } from '../../pkg/kube/openapi/v2-protobuf.js';
import { encodeOpenApiV3 } from '../../pkg/kube/openapi/v3-protobuf.js';
import { lazy } from '../../pkg/system/object/lazy.js';
import type { ApiVersion } from '../discovery/resource.js';
import { rootPath } from '../discovery/routes.js';
import { acceptable, V3_PROTOBUF } from './formats.js';
import { type DescribedResource, objectSchemasV2 } from './schemas.js';
import { type EncodedV2, encodeV2, V2_JSON, type V2Encoding } from './v2.js';
import { type DocumentOptions, type OpenApiV3, openApiV3 } from './v3.js';

/** A URL with the hash of its content never changes its answer. */
const IMMUTABLE_SECONDS = 365 * 24 * 60 * 60;

/** The document of one group version. */
export interface GroupVersionDocument {
  readonly path: string;
  readonly resources: readonly DescribedResource[];
  /** What it adds to the document of 2.0. */
  readonly v2: Readonly<Record<'json' | 'protobuf', () => EncodedV2>>;
  /** The hash in the URL of the index, upper-case hexadecimal. */
  readonly hash: () => string;
  readonly handler: Handler;
}

export function pathOf(version: ApiVersion): string {
  return `/openapi/v3${rootPath(version)}`;
}

export function partOf(version: ApiVersion<DescribedResource>, options: DocumentOptions): GroupVersionDocument {
  const known = knownHash(version, options);
  const render = (): OpenApiV3 => openApiV3(version, options);
  // There may be hundreds of documents with a known hash. Only the encoded documents are kept, because their sources
  // take much more memory.
  const value = known === undefined ? lazy(render) : render;
  const json = lazy(
    (): Document => ({ ...encodeDocument(value(), JSON_TYPE), ...(known !== undefined && { hash: known }) }),
  );
  const protobuf = lazy(() => documentOf(encodeOpenApiV3(value()), `application/${V3_PROTOBUF[1]}`));
  const hash = (): string => known ?? json().hash;
  const handler = readOnly((request) => serveByHash(request, hash(), acceptable(request, json, V3_PROTOBUF, protobuf)));
  const lowered = (encoding: V2Encoding): (() => EncodedV2) =>
    lazy(() => encodeV2({ ...value(), lowered: objectSchemasV2(version.resources) }, encoding));
  const v2 = { json: lowered(V2_JSON), protobuf: lowered(OPENAPI_V2) };
  return { path: pathOf(version), resources: version.resources, v2, hash, handler };
}

/**
 * The hash of all that the document follows from, if the resources tell it. So the index needs no rendering of every
 * document.
 */
function knownHash(
  { groupVersion, resources }: ApiVersion<DescribedResource>,
  options: DocumentOptions,
): string | undefined {
  const versions = resources.map(({ resource, documentVersion }) => [resource, documentVersion] as const);
  if (versions.some(([, version]) => version === undefined)) return undefined;
  return createHash('sha256')
    .update(JSON.stringify([options, groupVersion, versions]))
    .digest('hex')
    .toUpperCase();
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
