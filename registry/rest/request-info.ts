import { badRequest, pathNotFound } from '../../pkg/status/errors.js';

/** What a path of the resource API points at: `/apis/<group>/<version>[/namespaces/<ns>]/<resource>[/<name>[/<subresource>]]`. */
export interface RequestInfo {
  readonly group: string;
  readonly version: string;
  /** Empty outside namespaces, and for a list across them. */
  readonly namespace: string;
  readonly resource: string;
  /** Empty for the collection. */
  readonly name: string;
  readonly subresource: string;
}

/** `path` is percent-encoded. Throws 404 for a path that points at nothing, 400 for one that cannot be decoded. */
export function parseRequestPath(path: string): RequestInfo {
  const [, root, ...segments] = path.split('/').map(decodeSegment);
  const groupVersion = root === 'api' ? ['', ...segments.splice(0, 1)] : segments.splice(0, 2);
  const [group, version] = groupVersion;
  if (group === undefined || version === undefined) throw pathNotFound();
  const namespaced = segments[0] === 'namespaces' && segments.length > 2;
  const namespace = namespaced ? (segments[1] ?? '') : '';
  const [resource, name = '', subresource = '', ...more] = namespaced ? segments.slice(2) : segments;
  if (resource === undefined || resource === '' || more.length > 0) throw pathNotFound();
  if ((namespaced && namespace === '') || (segments.at(-1) === '' && segments.length > 0)) throw pathNotFound();
  return { group, version, namespace, resource, name, subresource };
}

function decodeSegment(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch (error) {
    throw badRequest('the path holds a percent-encoding that is not UTF-8', error);
  }
}
