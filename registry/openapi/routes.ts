import type { Handler } from '../../pkg/http/handler.js';
import { JSON_TYPE } from '../../pkg/http/json.js';
import { documentOf, encodeDocument, readOnly, serveDocument } from '../../pkg/http/negotiation/document.js';
import { OPENAPI_V2 } from '../../pkg/kube/openapi/v2-protobuf.js';
import { following } from '../../pkg/system/collections/following.js';
import { lazy } from '../../pkg/system/object/lazy.js';
import { yieldToLoop } from '../../pkg/system/yielding/yielding.js';
import { areSame, type ExactRoutes } from '../discovery/exact-routes.js';
import { groupsOf } from '../discovery/resource.js';
import { acceptable, V2_PROTOBUF } from './formats.js';
import { type GroupVersionDocument, partOf, pathOf } from './part.js';
import type { DescribedResource } from './schemas.js';
import { type EncodedV2, joinV2, V2_JSON } from './v2.js';
import type { DocumentOptions } from './v3.js';

/**
 * The handlers of all OpenAPI paths. `current` gives the resources of now, and the same array until they change. A
 * document is created and encoded at its first request, and again only after a change of its resources.
 */
export function openApiRoutes(current: () => readonly DescribedResource[], options: DocumentOptions): ExactRoutes {
  const state = following(current, (resources, before: Described | undefined) => describe(resources, options, before));
  return {
    find: (path) => (path.startsWith('/openapi/') ? state().handlers.get(path) : undefined),
    paths: () => [...state().handlers.keys()],
  };
}

interface Described {
  readonly handlers: ReadonlyMap<string, Handler>;
  readonly parts: ReadonlyMap<string, GroupVersionDocument>;
}

function describe(
  resources: readonly DescribedResource[],
  options: DocumentOptions,
  before: Described | undefined,
): Described {
  const versions = groupsOf(resources).flatMap((group) => group.versions);
  const parts = versions.map((version) => {
    const known = before?.parts.get(pathOf(version));
    return known !== undefined && areSame(known.resources, version.resources) ? known : partOf(version, options);
  });
  const index = lazy(() => encodeDocument(indexOf(parts), JSON_TYPE));
  const handlers = new Map<string, Handler>([
    ['/openapi/v2', v2(parts, options)],
    // As in Kubernetes, this is JSON also for clients that ask for the documents in protobuf.
    ['/openapi/v3', readOnly((request) => serveDocument(request, index()))],
    ...parts.map(({ path, handler }) => [path, handler] as const),
  ]);
  return { handlers, parts: new Map(parts.map((part) => [part.path, part])) };
}

function indexOf(parts: readonly GroupVersionDocument[]): unknown {
  const entries = parts.map(({ path, hash }) => [
    path.slice('/openapi/v3/'.length),
    { serverRelativeURL: `${path}?hash=${hash()}` },
  ]);
  return { paths: Object.fromEntries(entries) };
}

/** `/openapi/v2`, in JSON, and in protobuf for Go's clients. */
function v2(parts: readonly GroupVersionDocument[], options: DocumentOptions): Handler {
  const json = lazy(async () => documentOf(joinV2(await encoded(parts, 'json'), options, V2_JSON), JSON_TYPE));
  const protobuf = lazy(async () =>
    documentOf(joinV2(await encoded(parts, 'protobuf'), options, OPENAPI_V2), `application/${V2_PROTOBUF[1]}`),
  );
  return readOnly(async (request) => serveDocument(request, await acceptable(request, json, V2_PROTOBUF, protobuf)));
}

/** Lets other requests run in between, because there may be hundreds of documents. */
async function encoded(
  parts: readonly GroupVersionDocument[],
  format: 'json' | 'protobuf',
): Promise<readonly EncodedV2[]> {
  const all: EncodedV2[] = [];
  for (const { v2: part } of parts) {
    all.push(part[format]());
    await yieldToLoop();
  }
  return all;
}
