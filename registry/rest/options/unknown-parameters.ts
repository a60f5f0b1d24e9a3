import { badRequest } from '../../../pkg/kube/status/errors.js';
import { closestName } from '../../../pkg/system/text/closest-name.js';
import { APPLY } from '../../applyset/names.js';
import type { Kind } from '../../kinds/kind.js';
import { HISTORY } from '../../kinds/past-subresources.js';
import { KEEP_ORIGIN } from './keep-origin.js';

/** Parameters that every request may have. */
const OF_ALL = ['pretty', 'timeout'];
const OF_GET = ['export', 'includeObject', 'resourceVersion', 'resourceVersionMatch', 'watch'];
const OF_LIST = [
  'allowWatchBookmarks',
  'continue',
  'fieldSelector',
  'includeObject',
  'labelSelector',
  'limit',
  'resourceVersion',
  'resourceVersionMatch',
  'sendInitialEvents',
  'timeoutSeconds',
  'watch',
];
const OF_WRITE = ['dryRun', 'fieldManager', 'fieldValidation', 'includeObject'];
/** Writes of whole objects can also keep what these have of another server. */
const OF_WHOLE = [...OF_WRITE, KEEP_ORIGIN];
const OF_DELETE = [
  'dryRun',
  'gracePeriodSeconds',
  'includeObject',
  'operation',
  'orphanDependents',
  'propagationPolicy',
  'resourceVersion',
  'uid',
];
/** The parameters that each verb reads. */
const READ: Readonly<Record<string, readonly string[]>> = {
  get: OF_GET,
  list: OF_LIST,
  watch: OF_LIST.filter((name) => name !== 'limit'),
  create: OF_WHOLE,
  update: OF_WHOLE,
  patch: [...OF_WRITE, 'force'],
  delete: OF_DELETE,
  deletecollection: [...OF_DELETE, ...OF_LIST],
};
/** Those of subresources that read more. */
const READ_BELOW: Readonly<Record<string, readonly string[]>> = {
  [HISTORY]: ['continue', 'limit', 'version'],
  [APPLY]: ['force'],
};
/** The query parameters that a request to the resource API may have. */
const KNOWN: ReadonlySet<string> = new Set([
  ...OF_ALL,
  ...Object.values(READ).flat(),
  ...Object.values(READ_BELOW).flat(),
]);
const MOST_NAMED = 10;
/** The parameters that may have several values. */
const REPEATABLE: ReadonlySet<string> = new Set(['dryRun']);

const SELECTORS = ['labelSelector', 'fieldSelector'];
const CONDITIONS = ['resourceVersion', 'uid'];
/** Known parameters that would make a request do less, or something else, and that its verb does not read. */
const MEANT_FOR_OTHERS: Readonly<Record<string, readonly string[]>> = {
  create: [...SELECTORS, ...CONDITIONS],
  update: [...SELECTORS, ...CONDITIONS],
  patch: [...SELECTORS, ...CONDITIONS],
  delete: SELECTORS,
  deletecollection: ['fieldValidation', 'force', 'version'],
};
/**
 * A warning of query parameters that nothing here knows: clients of newer versions may send them. Throws 400 for one
 * that looks like a known one or like a selector, because `?dryrun=All` would otherwise be a real write, and a deletion
 * with `?labelselector=…` would delete everything. A deletion of a collection has no unknown parameters at all. Throws
 * 400, too, for a parameter with two values, of which only one would count, and for one that would make another verb do
 * less. Of any other that the verb does not read, it warns.
 */
export function parameterWarnings(
  query: URLSearchParams,
  { deleteOptions = {} }: Pick<Kind, 'deleteOptions'>,
  verb: string,
  subresource = '',
): readonly string[] {
  if (query.size === 0) return [];
  refuseSeveralValues(query);
  for (const name of MEANT_FOR_OTHERS[verb] ?? []) if (query.has(name)) throw badRequest(withoutEffect(name, verb));
  const unknown = new Set<string>();
  for (const name of query.keys()) if (!(KNOWN.has(name) || Object.hasOwn(deleteOptions, name))) unknown.add(name);
  const unread = unreadBy(query, verb, subresource);
  if (unknown.size === 0) return unread;
  for (const name of unknown) refuseMisspelt(name, Object.keys(deleteOptions));
  const named = [...unknown].slice(0, MOST_NAMED).map(quoted);
  const text = `unknown query parameter${named.length === 1 ? '' : 's'} ${named.join(', ')}`;
  if (verb === 'deletecollection') throw badRequest(`${text}: it could be meant to delete less`);
  return [text, ...unread];
}

function refuseSeveralValues(query: URLSearchParams): void {
  if (query.size === 1) return;
  const seen = new Map<string, string>();
  for (const [name, value] of query) {
    if (!KNOWN.has(name) || REPEATABLE.has(name)) continue;
    const first = seen.get(name);
    if (first !== undefined && first !== value) {
      const instead = SELECTORS.includes(name) ? ': join its requirements by commas' : '';
      throw badRequest(`the query parameter ${quoted(name)} has two values, of which only one would count${instead}`);
    }
    seen.set(name, value);
  }
}

/** Warns of known parameters that have no effect here. */
function unreadBy(query: URLSearchParams, verb: string, subresource: string): readonly string[] {
  const isRead = (name: string): boolean =>
    [OF_ALL, READ[verb], READ_BELOW[subresource]].some((names) => names?.includes(name) === true);
  const unread = new Set<string>();
  for (const name of query.keys()) if (KNOWN.has(name) && !isRead(name)) unread.add(name);
  return [...unread].map((name) => withoutEffect(name, verb));
}

function withoutEffect(name: string, verb: string): string {
  return `the query parameter ${quoted(name)} has no effect on the verb ${verb}`;
}

function refuseMisspelt(name: string, deleteOptions: readonly string[]): void {
  const meant = closestName(name, [...KNOWN, ...deleteOptions]);
  if (meant !== undefined) throw badRequest(`unknown query parameter ${quoted(name)}: did you mean "${meant}"?`);
  if (/selector/i.test(name))
    throw badRequest(`unknown query parameter ${quoted(name)}: there are "labelSelector" and "fieldSelector"`);
}

const quoted = (name: string): string => JSON.stringify(name.slice(0, 100));
