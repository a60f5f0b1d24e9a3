import type { ResourceOf } from '../../pkg/http/audit/trail.js';
import { ApiError } from '../../pkg/kube/status/status.js';
import { parseRequestPath, type RequestInfo } from './request-info.js';

const COLLECTION: Readonly<Record<string, string>> = { GET: 'list', HEAD: 'list', DELETE: 'deletecollection' };
const VERBS: Readonly<Record<string, string>> = {
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
  return (name === '' ? COLLECTION[method] : undefined) ?? VERBS[method] ?? method.toLowerCase();
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
