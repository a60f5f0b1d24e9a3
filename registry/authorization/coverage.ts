import { covers, type Scopes } from '../../pkg/authz/grants.js';
import type { Kind } from '../kind.js';
import type { Entry, Reader } from '../reader.js';
import { coversKind } from './actions.js';
import type { ScopeHierarchy } from './scope-hierarchy.js';

/** Where a caller has one action on a kind: on its objects or on their containers. Each container is evaluated once. */
export interface Coverage {
  readonly all: boolean;
  has(entry: Entry): boolean;
  /** Whether the caller has the action in a container. */
  coversContainer(container: string): boolean;
  /** Whether the caller would have the action in a container with this parent. */
  wouldCover(container: string, parent: string | undefined): boolean;
}

export interface CoverageOptions {
  readonly kind: Kind;
  readonly hierarchy: ScopeHierarchy;
  readonly action: string;
  readonly scopes: Scopes | undefined;
  readonly namespace: string;
  readonly reader: Reader;
}

const ALL: Coverage = { all: true, has: () => true, coversContainer: () => true, wouldCover: () => true };
const NONE: Coverage = { all: false, has: () => false, coversContainer: () => false, wouldCover: () => false };

export function coverageOf({ kind, hierarchy, action, scopes, namespace, reader }: CoverageOptions): Coverage {
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
  const has = ({ attributes }: Entry): boolean => {
    for (const scope of attributes.scopes ?? []) if (covers(scopes, scope)) return true;
    const container = attributes.container ?? hierarchy.root;
    return container !== undefined && coversContainer(container);
  };
  return { all: false, has, coversContainer, wouldCover };
}
