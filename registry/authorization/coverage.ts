import { covers, type Scopes, widestPrefix } from '../../pkg/authz/grants.js';
import type { Kind } from '../kind.js';
import type { Entry, Reader } from '../reader.js';
import { coversKind } from './actions.js';
import type { ScopeHierarchy } from './scope-hierarchy.js';

/** Where a caller has one action on a kind: on its objects, on their containers, or on what they are about. Each container is evaluated once. */
export interface Coverage {
  readonly all: boolean;
  has(entry: Entry): boolean;
  /** Whether the caller has the action in a container. */
  coversContainer(container: string): boolean;
  /** Whether the caller would have the action in a container with this parent. */
  wouldCover(container: string, parent: string | undefined): boolean;
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

const ALL: Coverage = {
  all: true,
  has: () => true,
  coversContainer: () => true,
  wouldCover: () => true,
  excludes: () => false,
};
const NONE: Coverage = {
  all: false,
  has: () => false,
  coversContainer: () => false,
  wouldCover: () => false,
  excludes: () => true,
};

export function coverageOf(options: CoverageOptions): Coverage {
  const { kind, hierarchy, action, scopes, namespace, reader } = options;
  if (scopes === undefined) return NONE;
  if (coversKind(hierarchy.container, kind, action, scopes)) return ALL;
  const verdicts = new Map<string, boolean>();
  const coversContainer = (container: string): boolean => {
    const known = verdicts.get(container);
    if (known !== undefined) return known;
    // Ends the recursion if containers form a cycle. The store refuses cycles.
    verdicts.set(container, false);
    const verdict = wouldCover(container, hierarchy.parent(container, namespace, reader));
    verdicts.set(container, verdict);
    return verdict;
  };
  const wouldCover = (container: string, parent: string | undefined): boolean =>
    hierarchy.scopesOf(container, namespace).some((scope) => covers(scopes, scope)) ||
    (parent !== undefined && coversContainer(parent));
  const about = hierarchy.about && coverageOf({ ...options, kind: hierarchy.about.kind, hierarchy: hierarchy.about });
  const coversAbout = (name: string | undefined): boolean => {
    if (about === undefined || name === undefined) return false;
    const entry = reader.entry(hierarchy.about?.kind.qualified ?? '', namespace, name);
    return entry !== undefined && about.has(entry);
  };
  const has = ({ attributes }: Entry): boolean => {
    for (const scope of attributes.scopes ?? []) if (covers(scopes, scope)) return true;
    const container = attributes.container ?? hierarchy.root;
    return (container !== undefined && coversContainer(container)) || coversAbout(attributes.about);
  };
  const onlyContainers = areOfContainers(options);
  const excludes = (container: string | undefined): boolean => {
    const place = container ?? hierarchy.root;
    return onlyContainers && !(place !== undefined && coversContainer(place));
  };
  return { all: false, has, coversContainer, wouldCover, excludes, about };
}

/** Whether all scopes of the action are on containers, so that no object has a permission of its own. */
function areOfContainers({ kind, hierarchy, scopes }: CoverageOptions): boolean {
  const { container, about } = hierarchy;
  const read = container?.permissions?.get[0];
  if (container === kind || about !== undefined || read === undefined || scopes === undefined) return false;
  const prefix = widestPrefix(read);
  return [...scopes.exact, ...scopes.prefixes].every((scope) => scope.startsWith(prefix));
}
