import type { ApiRequest, ApiResponse, Handler } from '../../pkg/http/handler.js';
import { JSON_TYPE, wantsPretty } from '../../pkg/http/json.js';
import { matches, parseAccept } from '../../pkg/http/negotiation/accept.js';
import {
  type Document,
  encodeDocument,
  indented,
  readOnly,
  serveDocument,
} from '../../pkg/http/negotiation/document.js';
import { isYamlRange, YAML_TYPE } from '../../pkg/http/negotiation/yaml.js';
import { notAcceptable, pathNotFound } from '../../pkg/kube/status/errors.js';
import { following } from '../../pkg/system/collections/following.js';
import { lazy } from '../../pkg/system/object/lazy.js';
import { type AggregatedVersion, aggregatedContentType, aggregatedDiscovery } from './aggregated.js';
import { areSame, type ExactRoutes } from './exact-routes.js';
import { apiGroup, apiGroupList, apiResourceList, apiVersions } from './legacy.js';
import { type ApiGroup, type ApiResource, type ApiVersion, groupsOf } from './resource.js';

type Form = 'legacy' | AggregatedVersion;

/** `/apis/<group>/<version>` has this many slashes, and no path of discovery has more. */
const MOST_SLASHES = 3;

/**
 * The handlers of all discovery paths. `current` gives the resources of now, and the same array until they change. A
 * body is encoded at its first request, and again only after a change. `/api` has the same form as `/apis`, even
 * without a core kind: clients drop aggregated groups if `/api` has the legacy form.
 */
export function discoveryRoutes(current: () => readonly ApiResource[]): ExactRoutes {
  const state = following(current, discover);
  return {
    // Most paths are those of objects. For these, nothing is made again after a change.
    find: (path) => (isDeeper(path) ? undefined : state().handlers.get(path)),
    paths: () => [...state().handlers.keys()],
  };
}

/** Whether a path has more slashes than those of discovery. */
function isDeeper(path: string): boolean {
  let at = -1;
  for (let slashes = 0; slashes <= MOST_SLASHES; slashes++) {
    at = path.indexOf('/', at + 1);
    if (at === -1) return false;
  }
  return true;
}

interface Discovery {
  readonly handlers: ReadonlyMap<string, Handler>;
  readonly versions: ReadonlyMap<string, DiscoveredVersion>;
}

interface DiscoveredVersion {
  readonly resources: readonly ApiResource[];
  readonly handler: Handler;
}

function discover(resources: readonly ApiResource[], before: Discovery | undefined): Discovery {
  const groups = groupsOf(resources);
  const core = groups.filter(({ name }) => name === '');
  const named = groups.filter(({ name }) => name !== '');
  const listed = lazy(() => groupsOf(resources.filter(({ verbs }) => verbs.includes('list'))).filter(hasName));
  const handlers = new Map<string, Handler>([
    [
      '/api',
      unlessNarrow(
        negotiated(
          () => core,
          () => apiVersions(core[0]),
        ),
        absent,
      ),
    ],
    [
      '/apis',
      unlessNarrow(
        negotiated(
          () => named,
          () => apiGroupList(named),
        ),
        negotiated(listed, () => apiGroupList(listed())),
      ),
    ],
  ]);
  for (const group of named)
    handlers.set(
      `/apis/${group.name}`,
      plain(() => apiGroup(group)),
    );
  const versions = new Map<string, DiscoveredVersion>();
  for (const version of groups.flatMap(({ versions: all }) => all)) {
    const discovered = discoverVersion(version, before?.versions.get(rootPath(version)));
    versions.set(rootPath(version), discovered);
    handlers.set(rootPath(version), discovered.handler);
  }
  return { handlers, versions };
}

function hasName({ name }: ApiGroup): boolean {
  return name !== '';
}

/** Keeps the body of a group version whose resources are the same objects. */
function discoverVersion(version: ApiVersion, before: DiscoveredVersion | undefined): DiscoveredVersion {
  if (before !== undefined && areSame(before.resources, version.resources)) return before;
  return { resources: version.resources, handler: plain(() => apiResourceList(version)) };
}

/**
 * Clients that split each group version at its slash, and list every resource that they find. They stop at the core
 * group and at reviews.
 */
const NARROW = /^(grafanactl|gcx)\//;

/** These clients see no core group, and only the groups with something to list. */
function unlessNarrow(all: Handler, narrow: Handler): Handler {
  return (request) => (NARROW.test(request.headers['user-agent'] ?? '') ? narrow : all)(request);
}

const absent: Handler = () => {
  throw pathNotFound();
};

/** The path of a group version: `/apis/<group>/<version>`, or `/api/<version>` for the core group. */
export function rootPath({ group, groupVersion }: Pick<ApiVersion, 'group' | 'groupVersion'>): string {
  return group === '' ? `/api/${groupVersion}` : `/apis/${groupVersion}`;
}

function plain(body: () => unknown): Handler {
  const document = lazy(() => encodeDocument(body(), JSON_TYPE));
  return readOnly((request) => {
    requireJson(request);
    return serve(request, document());
  });
}

function negotiated(groups: () => readonly ApiGroup[], legacy: () => unknown): Handler {
  const aggregated = (version: AggregatedVersion): (() => Document) =>
    lazy(() => encodeDocument(aggregatedDiscovery(groups(), version), aggregatedContentType(version)));
  const documents: Readonly<Record<Form, () => Document>> = {
    legacy: lazy(() => encodeDocument(legacy(), JSON_TYPE)),
    v2: aggregated('v2'),
    v2beta1: aggregated('v2beta1'),
  };
  return readOnly((request) => serve(request, documents[formOf(request.headers['accept'])]()));
}

function serve(request: ApiRequest, document: Document): ApiResponse {
  return serveDocument(request, wantsPretty(request) ? indented(document) : document);
}

/** The form of `/api` and `/apis` that the client prefers. Throws 406 if it accepts no JSON. */
function formOf(accept: string | undefined): Form {
  for (const range of parseAccept(accept)) {
    if (isYamlRange(range)) return 'legacy';
    if (!matches(range, 'application', 'json')) continue;
    const as = range.parameters.get('as');
    if (as === undefined) return 'legacy';
    const version = range.parameters.get('v');
    const aggregated = as === 'APIGroupDiscoveryList' && range.parameters.get('g') === 'apidiscovery.k8s.io';
    if (aggregated && (version === 'v2' || version === 'v2beta1')) return version;
  }
  throw notAcceptable([JSON_TYPE, aggregatedContentType('v2'), aggregatedContentType('v2beta1')]);
}

function requireJson(request: ApiRequest): void {
  const ranges = parseAccept(request.headers['accept']);
  if (ranges.some((range) => isYamlRange(range) || matches(range, 'application', 'json'))) return;
  throw notAcceptable([JSON_TYPE, YAML_TYPE]);
}
