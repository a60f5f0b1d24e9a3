import { badRequest } from '../../pkg/status/errors.js';
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
const BY_LOWER_CASE: ReadonlyMap<string, string> = new Map([...KNOWN].map((name) => [name.toLowerCase(), name]));
const MOST_NAMED = 10;

/**
 * A warning of query parameters that nothing here knows: clients of newer versions may send them. Throws 400 for a name in the wrong case, because
 * `?dryrun=All` would otherwise be a real write, and a deletion with `?labelselector=…` would delete everything.
 */
export function unknownParameters(query: URLSearchParams, { deleteOptions = {} }: Kind): string | undefined {
  if (query.size === 0) return undefined;
  const unknown = new Set<string>();
  for (const name of query.keys()) if (!(KNOWN.has(name) || Object.hasOwn(deleteOptions, name))) unknown.add(name);
  if (unknown.size === 0) return undefined;
  for (const name of unknown) refuseWrongCase(name, deleteOptions);
  const named = [...unknown].slice(0, MOST_NAMED).map(quoted);
  return `unknown query parameter${named.length === 1 ? '' : 's'} ${named.join(', ')}`;
}

function refuseWrongCase(name: string, deleteOptions: object): void {
  const lower = name.toLowerCase();
  const meant = BY_LOWER_CASE.get(lower) ?? Object.keys(deleteOptions).find((one) => one.toLowerCase() === lower);
  if (meant !== undefined) throw badRequest(`unknown query parameter ${quoted(name)}: did you mean "${meant}"?`);
}

const quoted = (name: string): string => JSON.stringify(name.slice(0, 100));
