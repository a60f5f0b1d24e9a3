import { isAnonymous, type UserInfo } from '../../pkg/authn/user.js';
import { readsMany } from '../../registry/access/actions.js';
import { takes } from '../../registry/access/denied.js';
import { guardedEntry } from '../../registry/access/guarded.js';
import { isMaster } from '../../registry/access/masters.js';
import { entryNamed } from '../../registry/access/views.js';
import type { AccessView } from '../../registry/access.js';
import type { Kind } from '../../registry/kind.js';
import type { Registry } from '../../registry/registry.js';
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

/** Paths that are no resources and that a caller may read. */
export function openPathsOf(user: UserInfo): readonly string[] {
  return isAnonymous(user) ? OPEN_PATHS : [...OPEN_PATHS, '/metrics'];
}

/** Stands for whatever name there could be. */
const ANY_NAME = '*';
/** What these answer depends on the objects: whoever may do it to some of them may do it. */
const FILTERED = new Set(['list', 'watch', 'create', 'deletecollection']);

export function mayDo(registry: Registry, user: UserInfo, asked: ResourceAttributes, view: AccessView): Answer {
  if (isMaster(user)) return { allowed: true };
  const kind = registry.kinds.find(
    ({ served, group, resource }) => served && group === asked.group && resource === asked.resource,
  );
  if (kind === undefined) return { allowed: false, reason: 'no permission names this resource' };
  const verbs = asked.verb === '*' ? kind.verbs : [asked.verb];
  const lacking = verbs.map((verb) => lackingFor(registry, user, kind, verb, asked, view));
  if (lacking.includes(undefined)) return { allowed: false, reason: 'no permission allows this verb' };
  const actions = [...new Set(lacking.flatMap((one) => one ?? []))];
  if (actions.length === 0) return { allowed: true };
  return { allowed: false, reason: takes(actions) };
}

function lackingFor(
  { access }: Registry,
  user: UserInfo,
  kind: Kind,
  verb: string,
  { name, subresource, namespace: asked }: ResourceAttributes,
  view: AccessView,
): readonly string[] | undefined {
  const namespace = kind.scope === 'Cluster' ? '' : asked;
  if (name === '' || FILTERED.has(verb)) {
    return access.missing({ user, verb, kind, namespace, name: FILTERED.has(verb) ? '' : ANY_NAME, subresource }, view);
  }
  const entry = entryNamed(view, kind.qualified, namespace, name);
  const object = entry && guardedEntry(entry);
  const isUpdate = object !== undefined && (verb === 'update' || verb === 'patch');
  return access.missing(
    { user, verb, kind, namespace, name, subresource, ...(object && { object }), ...(isUpdate && { old: object }) },
    view,
  );
}

export function mayRead(user: UserInfo, path: string, verb: string): Answer {
  if (isMaster(user)) return { allowed: true };
  const covers = (open: string): boolean => (open.endsWith('*') ? path.startsWith(open.slice(0, -1)) : path === open);
  const isOpen = openPathsOf(user).some(covers);
  return isOpen && (verb === 'get' || verb === 'head') ? { allowed: true } : { allowed: false };
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
  /** Why it is incomplete, for people. */
  readonly evaluationError?: string;
}

/** Objects that a rule names at most: what else a caller may reach is told by `incomplete`. */
const NAMES_TOLD = 100;

const INCOMPLETE =
  'rights on an object hold also for what lies in it, and everybody may view what is their own; neither is listed';

/** What a caller may do in a namespace, kind by kind. Incomplete, as rules cannot tell what depends on the objects there are. */
export function rulesOf(registry: Registry, user: UserInfo, namespace: string, view: AccessView): Rules {
  if (isMaster(user)) return { rules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }], incomplete: false };
  const rules = registry.kinds
    .filter(({ served }) => served)
    .flatMap((kind) => rulesFor(registry, user, kind, kind.scope === 'Cluster' ? '' : namespace, view));
  return { rules, incomplete: true, evaluationError: INCOMPLETE };
}

function rulesFor(
  { access }: Registry,
  user: UserInfo,
  kind: Kind,
  namespace: string,
  view: AccessView,
): readonly ResourceRule[] {
  const at = { apiGroups: [kind.group], resources: [kind.resource] };
  const may = (verb: string, name: string): boolean =>
    access.missing({ user, verb, kind, namespace, name }, view)?.length === 0;
  const everywhere = kind.verbs.filter((verb) => may(verb, readsMany({ verb, name: '' }) ? '' : ANY_NAME));
  const rules: ResourceRule[] = everywhere.length === 0 ? [] : [{ verbs: everywhere, ...at }];
  const somewhere = kind.verbs.filter((verb) => !everywhere.includes(verb) && may(verb, ''));
  if (somewhere.length === 0) return rules;
  const grants = access.grantsOf(user, namespace, view);
  const names = namesGranted(
    grants.permissions.map(({ scope }) => scope),
    kind,
    namespace,
    view,
  );
  // A rule that names nothing would be one for every name.
  return names.length === 0 ? rules : [...rules, { verbs: somewhere, ...at, resourceNames: names }];
}

/** Objects of the kind that are granted by their own scope. */
function namesGranted(scopes: readonly string[], kind: Kind, namespace: string, view: AccessView): readonly string[] {
  const names = new Set<string>();
  for (const scope of new Set(scopes)) {
    const name = scope.slice(scope.lastIndexOf(':') + 1);
    const entry = entryNamed(view, kind.qualified, namespace, name);
    if (entry?.attributes.scopes?.includes(scope) === true) names.add(name);
    if (names.size === NAMES_TOLD) break;
  }
  return [...names].sort();
}
