import { covers, type Scopes, widestPrefix } from '../../pkg/authz/grants.js';
import type { Attributes } from '../../storage/state/resource.js';
import type { Kind } from '../kinds/kind.js';
import { hasRestricted } from '../kinds/restriction.js';
import type { Entry, Reader } from '../read/reader.js';
import { coversKind } from './actions.js';
import { restrictedContainers } from './restricted-containers.js';
import type { ScopeHierarchy } from './scope-hierarchy.js';

/** Where a caller has one action on a kind: on its objects, on their containers, or on what they are about. Each container is evaluated once. */
export interface Coverage {
  readonly all: boolean;
  /** It holds only as long as none of these kinds has a restricted object in the namespace. */
  readonly unlessRestricted: readonly Kind[];
  has(entry: Entry): boolean;
  /** Whether the caller has the action in a container. */
  coversContainer(container: string): boolean;
  /** Whether the caller would have the action in a container with these attributes. */
  wouldCover(container: string, attributes: Attributes | undefined): boolean;
  /** Whether the caller has the action on no object that lies directly in the container. */
  excludes(container: string | undefined): boolean;
  /** Where the caller has the action on the kind that the objects are about. */
  readonly about?: Coverage | undefined;
}

export interface CoverageOptions {
  readonly kind: Kind;
  readonly hierarchy: ScopeHierarchy;
  readonly action: string;
  readonly scopes: Scopes | undefined;
  readonly namespace: string;
  readonly reader: Reader;
}

const NO_KINDS: readonly Kind[] = [];
const ALL: Coverage = {
  all: true,
  unlessRestricted: NO_KINDS,
  has: () => true,
  coversContainer: () => true,
  wouldCover: () => true,
  excludes: () => false,
};
const NONE: Coverage = {
  all: false,
  unlessRestricted: NO_KINDS,
  has: () => false,
  coversContainer: () => false,
  wouldCover: () => false,
  excludes: () => true,
};

export function coverageOf(options: CoverageOptions): Coverage {
  const { kind, hierarchy, action, scopes, namespace, reader } = options;
  if (scopes === undefined) return NONE;
  if (coversKind(hierarchy.container, kind, action, scopes)) return ALL;
  const isBasic = scopes.basic !== undefined && coversKind(hierarchy.container, kind, action, scopes.basic);
  if (isBasic && !hasRestricted(hierarchy.restricting, namespace, reader)) return unrestricted(options, scopes);
  return partialCoverage(options, scopes, isBasic);
}

/** No stored object is restricted. An object in the trash may have been. */
function unrestricted(options: CoverageOptions, scopes: Scopes): Coverage {
  let partial: Coverage | undefined;
  const hasFormer = (entry: Entry): boolean => {
    partial ??= partialCoverage(options, scopes, true);
    return partial.has(entry);
  };
  const has = (entry: Entry): boolean => entry.attributes.isRestricted !== true || hasFormer(entry);
  return { ...ALL, unlessRestricted: options.hierarchy.restricting, has };
}

/** `isBasic`: the caller has the action on everything that is not restricted. */
function partialCoverage(options: CoverageOptions, scopes: Scopes, isBasic: boolean): Coverage {
  const { hierarchy, namespace, reader } = options;
  const verdicts = new Map<string, boolean>();
  /** Containers that do not exist any more. Objects in the trash may have been in one. */
  const missing = new Set<string>();
  const attributesOf = (container: string): Attributes | undefined =>
    hierarchy.container && reader.entry(hierarchy.container.qualified, namespace, container)?.attributes;
  const isRestricted = isBasic && hierarchy.container && restrictedContainers(hierarchy.container, namespace, reader);
  const hasOwn = scopes.everything || scopes.prefixes.length > 0 || scopes.exact.size > 0;
  const coversContainer = (container: string): boolean => {
    const restricted = isRestricted ? isRestricted(container) : undefined;
    if (restricted === false) return true;
    if (restricted === true && !hasOwn) return false;
    const known = verdicts.get(container);
    if (known !== undefined) return known;
    // Ends the recursion if containers form a cycle. The store refuses cycles.
    verdicts.set(container, false);
    const verdict = wouldCover(container, attributesOf(container));
    verdicts.set(container, verdict);
    return verdict;
  };
  /** The basic roles have access to the topmost container and its contents, unless it is restricted. */
  const wouldCover: Coverage['wouldCover'] = (container, attributes) => {
    if (attributes === undefined) missing.add(container);
    else if (attributes.container !== undefined) {
      if (coversContainer(attributes.container)) return true;
    } else if (isBasic && attributes.isRestricted !== true) return true;
    return hierarchy.scopesOf(container, namespace).some((scope) => covers(scopes, scope));
  };
  const about = hierarchy.about && coverageOf({ ...options, kind: hierarchy.about.kind, hierarchy: hierarchy.about });
  const coversAbout = (name: string | undefined): boolean => {
    if (about === undefined || name === undefined) return false;
    const entry = reader.entry(hierarchy.about?.kind.qualified ?? '', namespace, name);
    return entry !== undefined && about.has(entry);
  };
  /** If an object has no container and is about no object, only the object itself can restrict it. */
  const isOpen = ({ isRestricted, container, about: name }: Attributes): boolean =>
    isBasic &&
    isRestricted !== true &&
    (container === undefined || missing.has(container)) &&
    (about === undefined || name === undefined);
  const has = ({ attributes }: Entry): boolean => {
    const { container, scopes: own = [] } = attributes;
    if (container !== undefined && coversContainer(container)) return true;
    if (isOpen(attributes)) return true;
    for (const scope of own) if (covers(scopes, scope)) return true;
    const isInRoot = container === undefined && hierarchy.root !== undefined;
    return (isInRoot && coversRoot()) || coversAbout(attributes.about);
  };
  /** The root is not an object, so nothing restricts it. But objects in it can restrict themselves. */
  const coversRoot = (): boolean =>
    hierarchy.scopesOf(hierarchy.root ?? '', namespace).some((scope) => covers(scopes, scope));
  const onlyContainers = areOfContainers(options);
  const excludes = (container: string | undefined): boolean => {
    if (!onlyContainers) return false;
    return container === undefined
      ? !isBasic && !(hierarchy.root !== undefined && coversRoot())
      : !coversContainer(container);
  };
  const { unlessRestricted = NO_KINDS } = about ?? {};
  return { all: false, unlessRestricted, has, coversContainer, wouldCover, excludes, about };
}

/** Whether all scopes of the action are on containers, so that no object has a permission of its own. */
function areOfContainers({ kind, hierarchy, scopes }: CoverageOptions): boolean {
  const { container, about } = hierarchy;
  const read = container?.permissions?.get[0];
  if (container === kind || about !== undefined || read === undefined || scopes === undefined) return false;
  const prefix = widestPrefix(read);
  return [...scopes.exact, ...scopes.prefixes].every((scope) => scope.startsWith(prefix));
}
