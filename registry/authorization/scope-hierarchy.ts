import type { Kind } from '../kind.js';
import type { Reader } from '../reader.js';
import { entryAttributes, type ObjectAttributes } from './authorizer.js';

const NONE: readonly string[] = [];
/** A longer chain of containers must be a cycle. */
const LONGEST_CHAIN = 1000;

/** The scopes that an object inherits: from its containers, and from the object that it is about. */
export interface ScopeHierarchy {
  readonly kind: Kind;
  readonly container: Kind | undefined;
  /** The container of objects that name no container. */
  readonly root: string | undefined;
  /**
   * Whether `passes` holds for a scope of one of the object's ancestors, from the nearest one upwards, or of the object that it is about. A
   * folder without a parent does not inherit from the root. But a caller who creates a folder there, or moves it there, needs the permission
   * on the root (`isDestination`).
   */
  anyAncestor(
    object: ObjectAttributes,
    namespace: string,
    reader: Reader,
    isDestination: boolean,
    passes: (scope: string) => boolean,
  ): boolean;
  /** The scopes of one container. */
  scopesOf(name: string, namespace: string): readonly string[];
  /** The hierarchy of the objects that the objects are about. */
  readonly about: ScopeHierarchy | undefined;
  /** Name of the container of this container. */
  parent(name: string, namespace: string, reader: Reader): string | undefined;
}

export function scopeHierarchy(kind: Kind, byResource: ReadonlyMap<string, Kind>): ScopeHierarchy {
  const { containment } = kind;
  const aboutKind = byResource.get(kind.permissions?.about?.resource ?? '');
  const about = aboutKind && scopeHierarchy(aboutKind, byResource);
  const container = containment && byResource.get(containment.resource);
  const root = container === kind ? undefined : containment?.root;
  const scopesOf = (name: string, namespace: string): readonly string[] => {
    if (container?.permissions === undefined) return NONE;
    const { apiVersion, kind: kindName } = container;
    return container.permissions.scopes({ apiVersion, kind: kindName, metadata: { name, namespace } });
  };
  const parent = (name: string, namespace: string, reader: Reader): string | undefined =>
    container && reader.entry(container.qualified, namespace, name)?.attributes.container;
  const anyAncestor: ScopeHierarchy['anyAncestor'] = (object, namespace, reader, isDestination, passes) => {
    let name = object.container ?? (isDestination ? containment?.root : root);
    for (let depth = 0; name !== undefined && depth < LONGEST_CHAIN; depth++) {
      if (scopesOf(name, namespace).some(passes)) return true;
      name = parent(name, namespace, reader);
    }
    return isAbout(object, namespace, reader, passes);
  };
  const isAbout = (
    { about: name }: ObjectAttributes,
    namespace: string,
    reader: Reader,
    passes: (scope: string) => boolean,
  ): boolean => {
    const entry = about && name !== undefined ? reader.entry(about.kind.qualified, namespace, name) : undefined;
    if (about === undefined || entry === undefined) return false;
    const attributes = entryAttributes(entry);
    return attributes.scopes.some(passes) || about.anyAncestor(attributes, namespace, reader, false, passes);
  };
  return { kind, container, root, about, anyAncestor, scopesOf, parent };
}
