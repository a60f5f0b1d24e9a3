import type { ResourceOf } from '../../pkg/http/audit/trail.js';
import type { RequestOperation } from '../../pkg/http/operation.js';
import { badRequest, pathNotFound } from '../../pkg/kube/status/errors.js';
import { ApiError } from '../../pkg/kube/status/status.js';

/**
 * The parts of a path of the resource API:
 * `/apis/<group>/<version>[/namespaces/<ns>]/<resource>[/<name>[/<subresource>]]`.
 */
export interface RequestInfo {
  readonly group: string;
  readonly version: string;
  /** Empty for cluster-scoped kinds, and for a list across all namespaces. */
  readonly namespace: string;
  readonly resource: string;
  /** Empty for the collection. */
  readonly name: string;
  readonly subresource: string;
  /** `<group>/<version>/<resource>`. */
  readonly type: string;
}

/** The parts of the paths of objects, up to their last slash. Looking a path up here is faster than dividing it. */
const collections = new Map<string, RequestInfo>();
const MOST_COLLECTIONS = 1000;
const LONGEST_REMEMBERED = 1000;

/**
 * `path` is percent-encoded. A slash at its end does not matter. Throws 404 for a path of another form, and 400 for a
 * path that cannot be decoded.
 */
export function parseRequestPath(path: string): RequestInfo {
  const end = path.lastIndexOf('/');
  const name = path.slice(end + 1);
  if (name === '' || path.includes('%')) return parseWhole(path);
  const above = path.slice(0, end);
  const known = collections.get(above);
  if (known !== undefined) return withName(known, name);
  const info = parseWhole(path);
  if (info.name === name && info.subresource === '') remember(above, { ...info, name: '' });
  return info;
}

/** Written out, because V8 takes longer to copy an object and change it. */
function withName({ group, version, namespace, resource, subresource, type }: RequestInfo, name: string): RequestInfo {
  return { group, version, namespace, resource, name, subresource, type };
}

/** Callers can invent paths, so not all of them are kept, and no long ones. */
function remember(path: string, info: RequestInfo): void {
  if (path.length > LONGEST_REMEMBERED) return;
  if (collections.size >= MOST_COLLECTIONS) collections.clear();
  collections.set(path, info);
}

function parseWhole(path: string): RequestInfo {
  const parts = (path.endsWith('/') ? path.slice(0, -1) : path).split('/');
  const segments = path.includes('%') ? parts.map(decodeSegment) : parts;
  // The first segment is empty, and the second is the root. The paths of the core group do not contain a group.
  const core = segments[1] === 'api';
  const group = core ? '' : segments[2];
  const at = core ? 2 : 3;
  const version = segments[at];
  if ((!core && segments[1] !== 'apis') || group === undefined || version === undefined) throw pathNotFound();
  const isPartOfNamespace = segments.length === at + 4 && NAMESPACE_PARTS.includes(segments[at + 3] ?? '');
  const namespaced = segments[at + 1] === 'namespaces' && segments.length > at + 3 && !isPartOfNamespace;
  const namespace = namespaced ? (segments[at + 2] ?? '') : '';
  const first = namespaced ? at + 3 : at + 1;
  const [resource = '', name = '', subresource = ''] = [segments[first], segments[first + 1], segments[first + 2]];
  if (resource === '' || segments.length > first + 3) throw pathNotFound();
  if ((namespaced && (namespace === '' || namespace.includes('/'))) || segments[segments.length - 1] === '')
    throw pathNotFound();
  return { group, version, namespace, resource, name, subresource, type: typeOf(group, version, resource) };
}

/**
 * The key of a resource in tables. V8 looks up a text that was joined faster than one of a template, which stays in
 * parts.
 */
export function typeOf(...parts: readonly [group: string, version: string, resource: string]): string {
  return parts.join('/');
}

/** As in Kubernetes, these names are subresources of a namespace, not resources in a namespace. */
const NAMESPACE_PARTS = ['status', 'finalize'];

function decodeSegment(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch (error) {
    throw badRequest('the path contains a percent-encoding that is not UTF-8', error);
  }
}

/** The verbs that Kubernetes' metrics know by other names. */
const OPERATIONS: Readonly<Record<string, string>> = { create: 'POST', update: 'PUT' };

/**
 * The operations of the resource API, each made once. Call the result only for resources that are served and verbs that
 * they have, because each combination stays in the table.
 */
export function operationTable(): (verb: string, info: RequestInfo) => RequestOperation {
  const known = new Map<string, Map<string, RequestOperation>>();
  return (verb, info) => {
    const { group, version, resource, subresource, type } = info;
    const scope = scopeOf(info);
    let ofType = known.get(type);
    if (ofType === undefined) {
      ofType = new Map();
      known.set(type, ofType);
    }
    const key = subresource === '' ? `${verb} ${scope}` : `${verb} ${scope} ${subresource}`;
    let operation = ofType.get(key);
    if (operation === undefined) {
      operation = {
        verb: OPERATIONS[verb] ?? verb.toUpperCase(),
        group,
        version,
        resource,
        subresource,
        scope,
        route: '',
      };
      ofType.set(key, operation);
    }
    return operation;
  };
}

/** As in Kubernetes, the scope of the request, and not that of its kind. */
function scopeOf({ name, namespace }: RequestInfo): RequestOperation['scope'] {
  if (name !== '') return 'resource';
  return namespace === '' ? 'cluster' : 'namespace';
}

/** The verbs of the audit log, by method. */
const COLLECTION: Readonly<Record<string, string>> = { GET: 'list', HEAD: 'list', DELETE: 'deletecollection' };
const OBJECT: Readonly<Record<string, string>> = {
  GET: 'get',
  HEAD: 'get',
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};

/**
 * Reads the verb and the object of a request from its path, for the audit log. The path may name things that this
 * server does not have.
 */
export const auditedResource: ResourceOf = ({ isOfResourceApi, method, path, query }) => {
  // TokenReview belongs to it, too, but is served apart from it.
  const info = isOfResourceApi || path.startsWith('/apis/') ? infoOf(path) : undefined;
  if (info === undefined) return undefined;
  const { group, version, namespace, resource, name, subresource } = info;
  const object = {
    resource,
    namespace: namespace || undefined,
    name: name || undefined,
    apiGroup: group || undefined,
    apiVersion: version,
    subresource: subresource || undefined,
  };
  return { verb: verbOf(method, query, info), object };
};

function verbOf(method: string, query: URLSearchParams, { name }: RequestInfo): string {
  if (method === 'GET' && ['', '1', 'true'].includes(query.get('watch') ?? '0')) return 'watch';
  return (name === '' ? COLLECTION[method] : undefined) ?? OBJECT[method] ?? method.toLowerCase();
}

/** Documents, such as those of discovery, have other paths. */
function infoOf(path: string): RequestInfo | undefined {
  try {
    return parseRequestPath(path);
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}
