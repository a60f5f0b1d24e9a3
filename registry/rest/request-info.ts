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
  const segments = path.includes('%') ? path.split('/').map(decodeSegment) : path.split('/');
  // The first is empty, the second the root; the group of the core is not in the path.
  const core = segments[1] === 'api';
  const group = core ? '' : segments[2];
  const at = core ? 2 : 3;
  const version = segments[at];
  if (group === undefined || version === undefined) throw pathNotFound();
  const namespaced = segments[at + 1] === 'namespaces' && segments.length > at + 3;
  const namespace = namespaced ? (segments[at + 2] ?? '') : '';
  const first = namespaced ? at + 3 : at + 1;
  const [resource = '', name = '', subresource = ''] = [segments[first], segments[first + 1], segments[first + 2]];
  if (resource === '' || segments.length > first + 3) throw pathNotFound();
  if ((namespaced && namespace === '') || segments[segments.length - 1] === '') throw pathNotFound();
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
