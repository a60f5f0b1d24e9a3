import { badRequest } from '../../pkg/status/errors.js';
import { meantBy } from '../../pkg/text/meant-by.js';
import type { Kind } from '../kinds/kind.js';

/** The query parameters that a request to the resource API may have. Each verb reads some of them. */
const KNOWN: ReadonlySet<string> = new Set([
  'allowWatchBookmarks',
  'continue',
  'dryRun',
  'export',
  'fieldManager',
  'fieldSelector',
  'fieldValidation',
  'force',
  'gracePeriodSeconds',
  'includeObject',
  'labelSelector',
  'limit',
  'orphanDependents',
  'pretty',
  'propagationPolicy',
  'resourceVersion',
  'resourceVersionMatch',
  'sendInitialEvents',
  'timeout',
  'timeoutSeconds',
  'uid',
  'version',
  'watch',
]);
const MOST_NAMED = 10;

/**
 * A warning of query parameters that nothing here knows: clients of newer versions may send them. Throws 400 for one that looks like a known one or
 * like a selector, because `?dryrun=All` would otherwise be a real write, and a deletion with `?labelselector=…` would delete everything. A deletion of
 * a collection has no unknown parameters at all.
 */
export function unknownParameters(
  query: URLSearchParams,
  { deleteOptions = {} }: Kind,
  verb: string,
): string | undefined {
  if (query.size === 0) return undefined;
  const unknown = new Set<string>();
  for (const name of query.keys()) if (!(KNOWN.has(name) || Object.hasOwn(deleteOptions, name))) unknown.add(name);
  if (unknown.size === 0) return undefined;
  for (const name of unknown) refuseMisspelt(name, Object.keys(deleteOptions));
  const named = [...unknown].slice(0, MOST_NAMED).map(quoted);
  const text = `unknown query parameter${named.length === 1 ? '' : 's'} ${named.join(', ')}`;
  if (verb === 'deletecollection') throw badRequest(`${text}: it could be meant to delete less`);
  return text;
}

function refuseMisspelt(name: string, deleteOptions: readonly string[]): void {
  const meant = meantBy(name, [...KNOWN, ...deleteOptions]);
  if (meant !== undefined) throw badRequest(`unknown query parameter ${quoted(name)}: did you mean "${meant}"?`);
  if (/selector/i.test(name))
    throw badRequest(`unknown query parameter ${quoted(name)}: there are "labelSelector" and "fieldSelector"`);
}

const quoted = (name: string): string => JSON.stringify(name.slice(0, 100));
