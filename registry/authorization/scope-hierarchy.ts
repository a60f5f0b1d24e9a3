import type { Attributes } from '../../storage/state/resource.js';
import { entryAttributes, type ObjectAttributes } from '../kinds/authorizer.js';
import type { Kind } from '../kinds/kind.js';
import type { Reader } from '../read/reader.js';
import { LONGEST_CHAIN, restrictionAbove } from './restricted-containers.js';

const NONE: readonly string[] = [];

/** The scopes that an object inherits: from its containers, and from the object that it is about. */
export interface ScopeHierarchy {
  readonly kind: Kind;
  readonly container: Kind | undefined;
  /** The container of objects that name no container. */
  readonly root: string | undefined;
  /**
   * Whether `passes` holds for a scope of one of the object's ancestors, from the nearest one upwards, or of the object
   * that it is about. A folder without a parent does not inherit from the root. But a caller who creates a folder
   * there, or moves it there, needs the permission on the root (`isDestination`).
   */
  anyAncestor(
    object: ObjectAttributes,
    namespace: string,
    reader: Reader,
    isDestination: boolean,
    passes: (scope: string) => boolean,
  ): boolean;
  /**
   * Whether permissions of the basic roles on the organization do not reach an object. This is so if it is restricted
   * itself, or one of its containers, or the object that it is about. For a destination, only the containers count.
   */
  isRestricted(object: ObjectAttributes, namespace: string, reader: Reader, isDestination: boolean): boolean;
  /**
   * The same as `anyAncestor` with the scopes of the object itself, but only up to the first restricted one, which is
   * included. A permission of a basic role on one of these reaches the object.
   */
  anyUnrestricted: ScopeHierarchy['anyAncestor'];
  /** The kinds whose objects decide whether an object waits (`waiting.ts`). */
  readonly waiting: readonly Kind[];
  /** The kinds whose objects decide about `isRestricted`. */
  readonly restricting: readonly Kind[];
  /** The kinds whose objects can be restricted and lie in objects of this kind. */
  readonly contents: readonly Kind[];
  /** The scopes of one container. */
  scopesOf(name: string, namespace: string): readonly string[];
  /** The resources whose objects decide about those of the kind: containers, and what objects are about. */
  readonly deciding: readonly string[];
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
  const contents = [...byResource.values()].filter(
    (one) => one.permissions?.restriction !== undefined && one.containment?.resource === kind.qualified,
  );
  const restricting = restrictingKinds([kind, container], about);
  const isRestricted: ScopeHierarchy['isRestricted'] = (object, namespace, reader, isDestination) => {
    if (restricting.length === 0) return false;
    if (object.isRestricted && !isDestination) return true;
    if (container && restrictionAbove(container, object.container, namespace, reader) === true) return true;
    const entry = about && object.about && reader.entry(about.kind.qualified, namespace, object.about);
    return !!entry && about?.isRestricted(entryAttributes(entry), namespace, reader, false) === true;
  };
  const anyUnrestricted: ScopeHierarchy['anyUnrestricted'] = (object, namespace, reader, isDestination, passes) => {
    if (object.scopes.some(passes)) return true;
    if (object.isRestricted && !isDestination) return false;
    let name = object.container ?? (isDestination ? containment?.root : root);
    for (let depth = 0; name !== undefined && depth < LONGEST_CHAIN; depth++) {
      if (scopesOf(name, namespace).some(passes)) return true;
      const attributes: Attributes | undefined =
        container && reader.entry(container.qualified, namespace, name)?.attributes;
      if (attributes?.isRestricted === true) return false;
      name = attributes?.container;
    }
    const entry = about && object.about && reader.entry(about.kind.qualified, namespace, object.about);
    return !!entry && about?.anyUnrestricted(entryAttributes(entry), namespace, reader, false, passes) === true;
  };
  const waiting = [kind, container, ...(about?.waiting ?? [])].filter((one) => one?.waits === true) as readonly Kind[];
  const named = [container?.qualified, ...(about ? [about.kind.qualified, ...about.deciding] : [])];
  const deciding = [...new Set(named.filter((name) => name !== undefined))];
  const decide = { anyAncestor, isRestricted, anyUnrestricted };
  return { kind, container, root, about, ...decide, restricting, contents, waiting, deciding, scopesOf, parent };
}

function restrictingKinds(own: readonly (Kind | undefined)[], about: ScopeHierarchy | undefined): readonly Kind[] {
  const all = [...own, ...(about?.restricting ?? [])];
  return [...new Set(all.filter((one) => one?.permissions?.restriction !== undefined))] as readonly Kind[];
}
