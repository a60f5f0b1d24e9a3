import { covers, type Scopes } from '../../pkg/authz/grants.js';
import type { AccessView, Entry } from '../access.js';
import type { Kind } from '../kind.js';
import { coversKind } from './actions.js';
import type { Places } from './places.js';

/** Where one action is granted on a kind: on its objects, or on what they lie in. Each container is judged once. */
export interface Coverage {
  readonly all: boolean;
  has(entry: Entry): boolean;
  /** Whether it holds in a container. */
  within(container: string): boolean;
  /** Whether it would hold in a container if that lay in another. */
  wouldHold(container: string, above: string | undefined): boolean;
}

export interface CoverageOptions {
  readonly kind: Kind;
  readonly places: Places;
  readonly action: string;
  readonly scopes: Scopes | undefined;
  readonly namespace: string;
  readonly view: AccessView;
}

const ALL: Coverage = { all: true, has: () => true, within: () => true, wouldHold: () => true };
const NONE: Coverage = { all: false, has: () => false, within: () => false, wouldHold: () => false };

export function coverageOf({ kind, places, action, scopes, namespace, view }: CoverageOptions): Coverage {
  if (scopes === undefined) return NONE;
  if (coversKind(places.container, kind, action, scopes)) return ALL;
  const verdicts = new Map<string, boolean>();
  const within = (container: string): boolean => {
    const known = verdicts.get(container);
    if (known !== undefined) return known;
    // Against circles, which the store refuses.
    verdicts.set(container, false);
    const verdict = wouldHold(container, places.above(container, namespace, view));
    verdicts.set(container, verdict);
    return verdict;
  };
  const wouldHold = (container: string, above: string | undefined): boolean =>
    places.scopesOf(container, namespace).some((scope) => covers(scopes, scope)) ||
    (above !== undefined && within(above));
  const has = ({ attributes }: Entry): boolean => {
    for (const scope of attributes.scopes ?? []) if (covers(scopes, scope)) return true;
    const container = attributes.container ?? places.root;
    return container !== undefined && within(container);
  };
  return { all: false, has, within, wouldHold };
}
