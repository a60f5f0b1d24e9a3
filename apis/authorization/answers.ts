import { isAnonymous, type UserInfo } from '../../pkg/identity/authn/user.js';
import { unauthorized } from '../../pkg/kube/status/errors.js';
import { ApiError } from '../../pkg/kube/status/status.js';
import { readsMany } from '../../registry/authorization/actions.js';
import { neededPermissions } from '../../registry/authorization/denied.js';
import { entryAttributes, isMaster } from '../../registry/kinds/authorizer.js';
import type { Kind } from '../../registry/kinds/kind.js';
import { newestEntry } from '../../registry/kinds/orphans.js';
import type { Registry } from '../../registry/kinds/registry.js';
import type { Subresource } from '../../registry/kinds/subresource.js';
import type { Entry, Reader } from '../../registry/read/reader.js';
import type { ResourceAttributes } from './review-schema.js';

export interface Answer {
  readonly allowed: boolean;
  readonly reason?: string;
}

/** Paths that every caller may read. */
const OPEN_PATHS: readonly string[] = [
  '/api',
  '/api/*',
  '/apis',
  '/apis/*',
  '/healthz',
  '/livez',
  '/openapi/*',
  '/readyz',
  '/version',
];
const METRICS_PATH = '/metrics';
const READ_METRICS = 'server.metrics:read';

/** What decides: the authorizer of the server, or one with other grants. */
export type Decider = Pick<Registry, 'kinds' | 'reader' | 'authorizer'>;

/** The paths beside resources that a caller may read. */
export function openPathsOf(decider: Decider, user: UserInfo): readonly string[] {
  return mayReadMetrics(decider, user) ? [...OPEN_PATHS, METRICS_PATH] : OPEN_PATHS;
}

/** Throws 401 for callers without credentials, and 403 for callers who may not read the metrics of the server. */
export function authorizeMetrics(decider: Decider, user: UserInfo): void {
  if (isAnonymous(user)) throw unauthorized();
  if (mayReadMetrics(decider, user)) return;
  const why = `User ${JSON.stringify(user.name)} cannot get path "${METRICS_PATH}": ${neededPermissions([READ_METRICS])}`;
  throw new ApiError({ code: 403, reason: 'Forbidden', message: `forbidden: ${why}` });
}

/** Metrics show what the server is used for. */
function mayReadMetrics({ authorizer, reader }: Decider, user: UserInfo): boolean {
  if (isMaster(user)) return true;
  return !isAnonymous(user) && authorizer.grantsOf(user, '', reader).scopesOf(READ_METRICS) !== undefined;
}

/** Stands for any name. */
const ANY_NAME = '*';
/**
 * The verbs on a collection that act on the objects that the caller may use. They are allowed if the caller may use
 * some objects.
 */
const FILTERED = new Set(['list', 'watch', 'create', 'deletecollection']);

export async function mayDo(registry: Decider, user: UserInfo, attributes: ResourceAttributes): Promise<Answer> {
  if (isMaster(user)) return { allowed: true };
  const kind = registry.kinds.find(
    ({ served, group, resource }) => served && group === attributes.group && resource === attributes.resource,
  );
  const part = kind && partNamed(kind, attributes.subresource);
  if (kind === undefined || part === undefined) return { allowed: false, reason: 'no permission names this resource' };
  const verbs = attributes.verb === '*' ? part.verbs : [attributes.verb];
  const place = { ...attributes, namespace: kind.scope === 'Cluster' ? '' : attributes.namespace };
  const entry = place.name === '' ? undefined : newestEntry(registry, kind, place.namespace, place.name);
  const lacking = verbs.map((verb) => lackingFor(registry, user, kind, verb, place, entry));
  if (lacking.includes(undefined)) return { allowed: false, reason: 'no permission allows this verb' };
  const actions = [...new Set(lacking.flatMap((item) => item ?? []))];
  if (actions.length === 0) return { allowed: true };
  return { allowed: false, reason: neededPermissions(actions) };
}

/** The kind itself, or its subresource. */
function partNamed(kind: Kind, subresource: string): { readonly verbs: readonly string[] } | undefined {
  return subresource === '' ? kind : kind.subresources.find(({ name }) => name === subresource);
}

function lackingFor(
  { authorizer, reader }: Decider,
  user: UserInfo,
  kind: Kind,
  verb: string,
  { name, subresource, namespace }: ResourceAttributes,
  entry: Entry | undefined,
): readonly string[] | undefined {
  const isFiltered = subresource === '' && FILTERED.has(verb);
  if (name === '' || isFiltered) {
    return authorizer.missing({ user, verb, kind, namespace, name: isFiltered ? '' : ANY_NAME, subresource }, reader);
  }
  const object = entry && entryAttributes(entry);
  const isUpdate = object !== undefined && (verb === 'update' || verb === 'patch');
  return authorizer.missing(
    { user, verb, kind, namespace, name, subresource, ...(object && { object }), ...(isUpdate && { old: object }) },
    reader,
  );
}

export function mayRead(decider: Decider, user: UserInfo, path: string, verb: string): Answer {
  if (isMaster(user)) return { allowed: true };
  const covers = (open: string): boolean => (open.endsWith('*') ? path.startsWith(open.slice(0, -1)) : path === open);
  const isRead = verb === 'get' || verb === 'head';
  if (isRead && openPathsOf(decider, user).some(covers)) return { allowed: true };
  return isRead && path === METRICS_PATH
    ? { allowed: false, reason: neededPermissions([READ_METRICS]) }
    : { allowed: false };
}

interface ResourceRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
}

interface Rules {
  readonly rules: readonly ResourceRule[];
  readonly incomplete: boolean;
  /** The reason why the list is incomplete, for people. */
  readonly evaluationError?: string;
}

/** The most objects that a rule names. `incomplete` tells that there may be more. */
const MOST_NAMES = 100;

const INCOMPLETE =
  'rights on an object hold also for what lies in it, and everybody may view what is their own; neither is listed';

/**
 * The rules for a caller in a namespace, kind by kind. They are incomplete: rules cannot express what depends on the
 * objects.
 */
export function rulesOf(registry: Registry, user: UserInfo, namespace: string, reader: Reader): Rules {
  if (isMaster(user)) return { rules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }], incomplete: false };
  const rules = registry.kinds
    .filter(({ served }) => served)
    .flatMap((kind) => {
      const at = kind.scope === 'Cluster' ? '' : namespace;
      const parts = kind.subresources.flatMap((subresource) =>
        subresourceRules(registry, user, kind, subresource, at, reader),
      );
      return [...rulesFor(registry, user, kind, at, reader), ...parts];
    });
  return { rules, incomplete: true, evaluationError: INCOMPLETE };
}

function rulesFor(
  { authorizer }: Registry,
  user: UserInfo,
  kind: Kind,
  namespace: string,
  reader: Reader,
): readonly ResourceRule[] {
  const at = { apiGroups: [kind.group], resources: [kind.resource] };
  const may = (verb: string, name: string): boolean =>
    authorizer.missing({ user, verb, kind, namespace, name }, reader)?.length === 0;
  const everywhere = kind.verbs.filter((verb) => may(verb, readsMany({ verb, name: '' }) ? '' : ANY_NAME));
  const rules: ResourceRule[] = everywhere.length === 0 ? [] : [{ verbs: everywhere, ...at }];
  const somewhere = kind.verbs.filter((verb) => !everywhere.includes(verb) && may(verb, ''));
  if (somewhere.length === 0) return rules;
  const grants = authorizer.grantsOf(user, namespace, reader);
  const names = namesGranted(
    grants.permissions.map(({ scope }) => scope),
    kind,
    namespace,
    reader,
  );
  // A rule without names would hold for every name.
  return names.length === 0 ? rules : [...rules, { verbs: somewhere, ...at, resourceNames: names }];
}

/** The rule for a subresource of any object. */
function subresourceRules(
  { authorizer }: Registry,
  user: UserInfo,
  kind: Kind,
  { name: subresource, verbs }: Subresource,
  namespace: string,
  reader: Reader,
): readonly ResourceRule[] {
  const may = (verb: string): boolean =>
    authorizer.missing({ user, verb, kind, namespace, name: ANY_NAME, subresource }, reader)?.length === 0;
  const allowed = verbs.filter(may);
  if (allowed.length === 0) return [];
  return [{ verbs: allowed, apiGroups: [kind.group], resources: [`${kind.resource}/${subresource}`] }];
}

/** The objects of the kind that a grant names by their own scope. */
function namesGranted(scopes: readonly string[], kind: Kind, namespace: string, reader: Reader): readonly string[] {
  const names = new Set<string>();
  for (const scope of new Set(scopes)) {
    const name = scope.slice(scope.lastIndexOf(':') + 1);
    const entry = reader.entry(kind.qualified, namespace, name);
    if (entry?.attributes.scopes?.includes(scope) === true) names.add(name);
    if (names.size === MOST_NAMES) break;
  }
  return [...names].sort();
}
