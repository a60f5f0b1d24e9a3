import { partsOf } from '../../storage/key.js';
import {
  type CollectionAttributes,
  type GrantSource,
  isMaster,
  type ReadFilter,
  type ResolvedGrants,
} from '../kinds/authorizer.js';
import type { Kind } from '../kinds/kind.js';
import { hasRestricted } from '../kinds/restriction.js';
import { hasWaiting } from '../kinds/waiting.js';
import { type Entry, objectOf, type Reader } from '../read/reader.js';
import { actionsOf, normalizedVerb } from './actions.js';
import { type Coverage, coverageOf } from './coverage.js';
import type { ScopeHierarchy } from './scope-hierarchy.js';
import { withMemory } from './verdicts.js';
import { missingWhileWaiting, waits } from './waiting.js';

/** The kinds of which a namespace must have no restricted objects, and none that wait. */
interface FilterConditions {
  readonly unlessRestricted: readonly Kind[];
  readonly unlessWaiting: readonly Kind[];
}

/** A filter by the coverage of actions. */
export interface CoverageFilter extends ReadFilter {
  /** The coverages that every object is checked with. `undefined` if they differ between objects. */
  readonly coverages: readonly Coverage[] | undefined;
  /** What must not be in a namespace for it to hold there. */
  conditions(namespace: string): FilterConditions;
  /**
   * Whether it allows the same objects at a later state, as far as that depends on the first restricted object, or the
   * first one that waits.
   */
  isCurrent(reader: Reader): boolean;
}

const NO_SCOPES: readonly string[] = [];
const isCurrent = (): boolean => true;
const NO_CONDITIONS: FilterConditions = { unlessRestricted: [], unlessWaiting: [] };
const conditions = (): FilterConditions => NO_CONDITIONS;
export const EVERYTHING: CoverageFilter = {
  all: true,
  allows: () => true,
  excludes: () => false,
  coverages: [],
  conditions,
  isCurrent,
};
const NOTHING: CoverageFilter = {
  all: false,
  allows: () => false,
  excludes: () => true,
  coverages: [],
  conditions,
  isCurrent,
};

/**
 * The filter of a caller's verb on a kind. It evaluates each container once, however many objects the container has.
 * Rights are never those of the past, which `places` may be.
 */
export function readFilter(
  attributes: CollectionAttributes,
  hierarchy: ScopeHierarchy,
  source: GrantSource,
  reader: Reader,
  places = reader,
): ReadFilter {
  if (isMaster(attributes.user)) return EVERYTHING;
  return coverageFilter(attributes, hierarchy, source.resolve(attributes.user, reader), places);
}

export function coverageFilter(
  attributes: CollectionAttributes,
  hierarchy: ScopeHierarchy,
  resolved: ResolvedGrants,
  reader: Reader,
): CoverageFilter {
  const { kind, namespace } = attributes;
  if (normalizedVerb(attributes.verb) === undefined || kind.permissions === undefined) return NOTHING;
  const within = (one: string): CoverageFilter => inNamespace(attributes, hierarchy, resolved, one, reader);
  if (namespace !== '' || kind.scope === 'Cluster') return within(namespace);
  const known = new Map<string, CoverageFilter>();
  const allows = (entry: Entry): boolean => {
    const { namespace: own } = partsOf(entry.key);
    let filter = known.get(own);
    if (filter === undefined) {
      filter = within(own);
      known.set(own, filter);
    }
    return filter.allows(entry);
  };
  return {
    all: false,
    allows,
    excludes: () => false,
    coverages: undefined,
    conditions: (one) => known.get(one)?.conditions(one) ?? NO_CONDITIONS,
    isCurrent: (now) => [...known.values()].every((one) => one.isCurrent(now)),
  };
}

function inNamespace(
  attributes: CollectionAttributes,
  hierarchy: ScopeHierarchy,
  resolved: ResolvedGrants,
  namespace: string,
  reader: Reader,
): CoverageFilter {
  const { kind, user } = attributes;
  const verb = normalizedVerb(attributes.verb);
  const { permissions } = kind;
  if (verb === undefined || permissions === undefined) return NOTHING;
  const [grants, isMember] = [resolved.grants(namespace), resolved.isMember(namespace)];
  const byAction = new Map<string, Coverage>();
  const coverageFor = (action: string): Coverage => {
    let coverage = byAction.get(action);
    if (coverage === undefined) {
      coverage = coverageOf({ kind, hierarchy, action, scopes: grants.scopesOf(action), namespace, reader });
      byAction.set(action, coverage);
    }
    return coverage;
  };
  const usual = permissions[verb].map(coverageFor);
  const isVarying = permissions.actionsOf !== undefined;
  const coveragesOf = (entry: Entry): readonly Coverage[] => {
    if (!isVarying) return usual;
    const own = verb === 'get' ? entry.attributes.reading : actionsOf(kind, verb, '', objectOf(entry));
    return own === undefined ? usual : own.map(coverageFor);
  };
  const [first] = usual;
  const isCovered =
    !isVarying && usual.length === 1 && first !== undefined
      ? first.has
      : (entry: Entry): boolean => coveragesOf(entry).every((coverage) => coverage.has(entry));
  const isWaiting = waits(hierarchy, namespace, reader);
  /** Only callers who may write everywhere see what waits. */
  const seesWaiting = (entry: Entry | undefined): boolean => {
    const needed =
      verb === 'get' && entry?.attributes.reading !== undefined ? entry.attributes.reading : permissions[verb];
    const { scopes = NO_SCOPES } = entry?.attributes ?? {};
    const object = entry && (() => objectOf(entry));
    return missingWhileWaiting(kind, hierarchy.container, grants, needed, { scopes, object }).length === 0;
  };
  const isAll = !isVarying && usual.every(({ all }) => all);
  const dependsOnWaiting = isAll && !seesWaiting(undefined);
  const isOwn = (entry: Entry): boolean => isMember && permissions.allowSelf?.(objectOf(entry), user, verb) === true;
  const decide = (entry: Entry): boolean =>
    isWaiting(entry.attributes) ? seesWaiting(entry) : isCovered(entry) || isOwn(entry);
  /** If more than the grants decides, it is decided each time. */
  const isByGrants = !isVarying && permissions.allowSelf === undefined && attributes.namespace === namespace;
  const question = { hierarchy, grants, actions: permissions[verb], namespace };
  const allows = isByGrants ? withMemory(question, reader, decide) : decide;
  const all = isAll && !(dependsOnWaiting && hasWaiting(hierarchy.waiting, namespace, reader));
  const unlessWaiting = all && dependsOnWaiting ? hierarchy.waiting : [];
  const unlessRestricted = (): readonly Kind[] => [...byAction.values()].flatMap((one) => one.unlessRestricted);
  return {
    all,
    coverages: isVarying ? undefined : usual,
    conditions: () => ({ unlessRestricted: unlessRestricted(), unlessWaiting }),
    isCurrent: (now) =>
      !hasRestricted(unlessRestricted(), namespace, now) && !hasWaiting(unlessWaiting, namespace, now),
    excludes: (container) =>
      !isVarying && permissions.allowSelf === undefined && usual.some((one) => one.excludes(container)),
    allows,
  };
}
