import type { UserInfo } from '../../identity/authn/user.js';
import type { EventObject, Level, Stage } from './event.js';
import type { Policy, PolicyRule } from './policy.js';

/** What rules decide about. */
export interface AuditAttributes {
  /** The real caller, before impersonation. */
  readonly user: Pick<UserInfo, 'name' | 'groups'>;
  /** Kubernetes' verbs. A legacy call that wrote an object has two: that of its method, and that of the write. */
  readonly verbs: readonly string[];
  readonly object: EventObject | undefined;
  /** Set for requests outside of the resource API, which `nonResourceURLs` match. */
  readonly path: string | undefined;
}

export interface Decision {
  readonly level: Level;
  readonly omitStages: ReadonlySet<Stage>;
}

export type Decide = (attributes: AuditAttributes) => Decision;

const NOTHING: Decision = { level: 'None', omitStages: new Set() };

/** The first rule that matches decides. Requests that no rule matches are not recorded. */
export function decisionsOf(policy: Policy): Decide {
  const rules = policy.rules.map((rule) => ({
    rule,
    decision: { level: rule.level, omitStages: new Set([...policy.omitStages, ...rule.omitStages]) },
  }));
  return (attributes) => {
    for (const { rule, decision } of rules) if (matches(rule, attributes)) return decision;
    return NOTHING;
  };
}

/**
 * Returns a function that is true for paths of which no rule records a GET, for any caller. Watches are not included.
 * The policy has such paths if it has a rule like `level: None, verbs: [get, list]`, and all earlier rules that record
 * something name paths.
 */
export function quietPaths({ rules }: Policy): (path: string) => boolean {
  const end = rules.findIndex((rule) => rule.level === 'None' && isForReads(rule));
  const asking = rules.slice(0, Math.max(0, end)).filter(({ level }) => level !== 'None');
  if (end === -1 || asking.some(({ nonResourceURLs }) => nonResourceURLs.length === 0)) return () => false;
  const recorded = anyOf(asking.flatMap(({ nonResourceURLs }) => nonResourceURLs));
  return (path) => !recorded.test(path);
}

/** Every read is matched with it. One expression takes less time than several comparisons. */
function anyOf(urls: readonly string[]): RegExp {
  const escaped = urls.map((url) => url.replace(/[^\w/*]/g, '\\$&').replace(/\*$/, '.*'));
  return new RegExp(`^(?:${escaped.join('|') || '(?!)'})$`, 's');
}

function isForReads({ verbs, users, userGroups, resources, namespaces, nonResourceURLs }: PolicyRule): boolean {
  const others = [users, userGroups, resources, namespaces, nonResourceURLs];
  return others.every(({ length }) => length === 0) && isAnyRead(verbs);
}

function isAnyRead(verbs: readonly string[]): boolean {
  return verbs.length === 0 || (verbs.includes('get') && verbs.includes('list'));
}

/** As `ruleMatches` of k8s.io/apiserver/pkg/audit/policy: each list that is not empty must match. */
function matches(rule: PolicyRule, { user, verbs, object, path }: AuditAttributes): boolean {
  const { users, userGroups, resources, namespaces, nonResourceURLs: urls } = rule;
  if (rule.verbs.length > 0 && !haveCommon(rule.verbs, verbs)) return false;
  if (users.length > 0 && !users.includes(user.name)) return false;
  if (userGroups.length > 0 && !haveCommon(userGroups, user.groups)) return false;
  if (namespaces.length > 0 && (object === undefined || !namespaces.includes(object.namespace ?? ''))) return false;
  if (resources.length > 0 && (object === undefined || !isOneOf(resources, object))) return false;
  return urls.length === 0 || (path !== undefined && urls.some((url) => isBelow(path, url)));
}

function haveCommon(wanted: readonly string[], names: readonly string[]): boolean {
  for (const name of names) if (wanted.includes(name)) return true;
  return false;
}

function isOneOf(groups: PolicyRule['resources'], object: EventObject): boolean {
  const { apiGroup = '', name = '' } = object;
  return groups.some(({ group, resources, resourceNames }) => {
    if (group !== apiGroup) return false;
    if (resources.length === 0) return true;
    return (
      (resourceNames.length === 0 || resourceNames.includes(name)) &&
      resources.some((pattern) => isNamed(pattern, object))
    );
  });
}

function isNamed(pattern: string, { resource, subresource = '' }: EventObject): boolean {
  const combined = subresource === '' ? resource : `${resource}/${subresource}`;
  if (pattern === combined || pattern === '*' || pattern === `${resource}/*`) return true;
  return subresource !== '' && pattern === `*/${subresource}`;
}

function isBelow(path: string, url: string): boolean {
  return url.endsWith('*') ? path.startsWith(url.slice(0, -1)) : path === url;
}
