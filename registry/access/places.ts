import { keyOf } from '../../storage/key.js';
import type { AccessView, Guarded } from '../access.js';
import type { Kind } from '../kind.js';

const NONE: readonly string[] = [];
/** No chain of containers is longer: it would be a circle. */
const DEEPEST = 1000;

/** Where objects of a kind lie. */
export interface Places {
  readonly container: Kind | undefined;
  /** What counts as the container of objects that lie in none. */
  readonly root: string | undefined;
  /**
   * Whether a scope of the containers around an object, from the inside outwards, passes. Folders that lie in no folder do not lie in the root as far as
   * permissions on them go; but whoever puts one there needs the root's (`isDestination`).
   */
  around(
    guarded: Guarded,
    namespace: string,
    view: AccessView,
    isDestination: boolean,
    passes: (scope: string) => boolean,
  ): boolean;
  /** The scopes of one container. */
  scopesOf(name: string, namespace: string): readonly string[];
  /** Name of what a container lies in. */
  above(name: string, namespace: string, view: AccessView): string | undefined;
}

export function placesOf(kind: Kind, byQualified: ReadonlyMap<string, Kind>): Places {
  const { containment } = kind;
  const container = containment && byQualified.get(containment.resource);
  const root = container === kind ? undefined : containment?.root;
  const scopesOf = (name: string, namespace: string): readonly string[] => {
    if (container?.permissions === undefined) return NONE;
    const { apiVersion, kind: named } = container;
    return container.permissions.scopes({ apiVersion, kind: named, metadata: { name, namespace } });
  };
  const above = (name: string, namespace: string, view: AccessView): string | undefined =>
    container && view.get(keyOf(container.qualified, namespace, name))?.attributes.container;
  const around: Places['around'] = (guarded, namespace, view, isDestination, passes) => {
    let name = guarded.container ?? (isDestination ? containment?.root : root);
    for (let depth = 0; name !== undefined && depth < DEEPEST; depth++) {
      if (scopesOf(name, namespace).some(passes)) return true;
      name = above(name, namespace, view);
    }
    return false;
  };
  return { container, root, around, scopesOf, above };
}
