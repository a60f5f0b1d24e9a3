import { covers, hasNoScopes, type Scopes, widestPrefix } from '../../pkg/identity/authz/grants.js';
import type { Attributes } from '../../storage/state/resource.js';
import type { Kind } from '../kinds/kind.js';
import { hasRestricted } from '../kinds/restriction.js';
import type { Entry, Reader } from '../read/reader.js';
import { coversKind } from './actions.js';
import { type ContainerVerdict, NOWHERE, placesOf } from './restricted-containers.js';
import type { ScopeHierarchy } from './scope-hierarchy.js';

/** How far a caller has an action in a container. The higher ones include the lower ones. */
export const REACH = {
  none: 0,
  /** On the container, and on what lies in it up to what is restricted. */
  unrestricted: 1,
  /** On the container and all that lies in it. */
  all: 2,
} as const;
type Reach = (typeof REACH)[keyof typeof REACH];

/**
 * Where a caller has one action on a kind: on its objects, on their containers, or on what they are about. Each
 * container is evaluated once.
 */
export interface Coverage {
  readonly all: boolean;
  /** It holds only as long as none of these kinds has a restricted object in the namespace. */
  readonly unlessRestricted: readonly Kind[];
  has(entry: Entry): boolean;
  /** How far the caller has the action in a container. */
  reachIn(container: string): Reach;
  /** The same if the container had these attributes. */
  wouldReach(container: string, attributes: Attributes): Reach;
  /** Whether the caller has the action on no object that lies directly in the container. */
  excludes(container: string | undefined): boolean;
  /** Where the caller has the action on the kind that the objects are about. */
  readonly about?: Coverage | undefined;
}

interface CoverageOptions {
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
  reachIn: () => REACH.all,
  wouldReach: () => REACH.all,
  excludes: () => false,
};
const NONE: Coverage = {
  all: false,
  unlessRestricted: NO_KINDS,
  has: () => false,
  reachIn: () => REACH.none,
  wouldReach: () => REACH.none,
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
  const { reachIn, wouldReach, isMissing, isOpenFor } = containerReaches(options, scopes, isBasic);
  const hasOnlyBasic = hasNoScopes(scopes);
  const about = hierarchy.about && coverageOf({ ...options, kind: hierarchy.about.kind, hierarchy: hierarchy.about });
  const coversAbout = (name: string | undefined): boolean => {
    if (about === undefined || name === undefined) return false;
    const entry = reader.entry(hierarchy.about?.kind.qualified ?? '', namespace, name);
    return entry !== undefined && about.has(entry);
  };
  /** If an object has no container and is about no object, only the object itself can restrict it. */
  const isOpen = ({ container, about: name }: Attributes): boolean =>
    isBasic && (container === undefined || isMissing(container)) && (about === undefined || name === undefined);
  const has = ({ attributes }: Entry): boolean => {
    const { container, isRestricted } = attributes;
    if (container !== undefined) {
      if (isRestricted !== true && isOpenFor(container)) return true;
      if (isCoveredIn(reachIn(container), isRestricted)) return true;
    }
    if (isRestricted !== true && isOpen(attributes)) return true;
    if (!hasOnlyBasic)
      for (const scope of attributes.scopes ?? []) if (reachOf(scopes, scope) !== REACH.none) return true;
    const isInRoot = container === undefined && hierarchy.root !== undefined;
    if (isInRoot && isCoveredIn(rootReach(), isRestricted)) return true;
    return isRestricted !== true && coversAbout(attributes.about);
  };
  /** The root is not an object, so nothing restricts it. But objects in it can restrict themselves. */
  const rootReach = (): Reach => mostOf(hierarchy.scopesOf(hierarchy.root ?? '', namespace), scopes);
  let onlyContainers: boolean | undefined;
  const excludes = (container: string | undefined): boolean => {
    onlyContainers ??= areOfContainers(options);
    if (!onlyContainers) return false;
    if (container !== undefined) return reachIn(container) === REACH.none;
    return !isBasic && !(hierarchy.root !== undefined && rootReach() !== REACH.none);
  };
  const { unlessRestricted = NO_KINDS } = about ?? {};
  return { all: false, unlessRestricted, has, reachIn, wouldReach, excludes, about };
}

/** Whether an object that lies in something is covered by what its caller has there. */
function isCoveredIn(reach: Reach, isRestricted: boolean | undefined): boolean {
  return reach === REACH.all || (reach === REACH.unrestricted && isRestricted !== true);
}

/**
 * What the scopes give on one place by its own scope. A binding to a basic role ends at what is restricted in the
 * place.
 */
function reachOf(scopes: Scopes, scope: string): Reach {
  if (covers(scopes, scope)) return REACH.all;
  return scopes.basic?.exact.has(scope) === true ? REACH.unrestricted : REACH.none;
}

function mostOf(own: readonly string[], scopes: Scopes): Reach {
  return own.reduce<Reach>((reach, scope) => larger(reach, reachOf(scopes, scope)), REACH.none);
}

const larger = (reach: Reach, other: Reach): Reach => (reach > other ? reach : other);

interface ContainerReaches extends Pick<Coverage, 'reachIn' | 'wouldReach'> {
  /** Whether a container did not exist when it was asked for. Objects in the trash may have been in one. */
  isMissing(container: string): boolean;
  /**
   * Whether the basic role of the caller reaches a container. Lists ask this first, because all requests share the
   * answer.
   */
  isOpenFor(container: string): boolean;
}

/** Evaluates each container once, also for a watch, which compares what it was with what it is now. */
function containerReaches(
  { hierarchy, namespace, reader }: CoverageOptions,
  scopes: Scopes,
  isBasic: boolean,
): ContainerReaches {
  const { container: kind } = hierarchy;
  const placeNamed = kind ? placesOf(kind, namespace, reader) : () => NOWHERE;
  const reaches = new Map<string, Reach>();
  const missing = new Set<string>();
  const hasOnlyBasic = hasNoScopes(scopes);
  const top = isBasic ? REACH.unrestricted : REACH.none;
  const ownReach = (place: ContainerVerdict): Reach => {
    if (hasOnlyBasic || place === NOWHERE) return REACH.none;
    place.scopes ??= hierarchy.scopesOf(place.name, namespace);
    return mostOf(place.scopes, scopes);
  };
  const evaluated = (place: ContainerVerdict): Reach => {
    const own = ownReach(place);
    if (!place.exists) missing.add(place.name);
    if (own === REACH.all || !place.exists) return own;
    return below(place.above === undefined ? top : remembered(place.above), place.isRestricted, own);
  };
  const remembered = (place: ContainerVerdict): Reach => {
    const reach = reaches.get(place.name) ?? evaluated(place);
    reaches.set(place.name, reach);
    return reach;
  };
  const reachIn = (container: string): Reach => {
    const verdict = hasOnlyBasic && isBasic ? placeNamed(container).verdict : undefined;
    if (verdict !== undefined) return verdict ? REACH.none : REACH.unrestricted;
    return reaches.get(container) ?? remembered(placeNamed(container));
  };
  const wouldReach: Coverage['wouldReach'] = (container, attributes) => {
    const own = mostOf(hierarchy.scopesOf(container, namespace), scopes);
    if (own === REACH.all) return own;
    const above = attributes.container === undefined ? top : reachIn(attributes.container);
    return below(above, attributes.isRestricted, own);
  };
  return {
    reachIn,
    wouldReach,
    isMissing: (container) => missing.has(container),
    isOpenFor: (container) => isBasic && placeNamed(container).verdict === false,
  };
}

/** What a caller has in an existing container, by what they have above it and what is given on it. */
function below(above: Reach, isRestricted: boolean | undefined, own: Reach): Reach {
  return above === REACH.unrestricted && isRestricted === true ? own : larger(own, above);
}

/** Whether all scopes of the action are on containers, so that no object has a permission of its own. */
function areOfContainers({ kind, hierarchy, scopes }: CoverageOptions): boolean {
  const { container, about } = hierarchy;
  const read = container?.permissions?.get[0];
  if (container === kind || about !== undefined || read === undefined || scopes === undefined) return false;
  const prefix = widestPrefix(read);
  return [...scopes.exact, ...scopes.prefixes, ...(scopes.basic?.exact ?? [])].every((scope) =>
    scope.startsWith(prefix),
  );
}
