import { covers, type Scopes, widestPrefix } from '../../pkg/identity/authz/grants.js';
import type { ObjectAttributes } from '../kinds/authorizer.js';
import type { Kind } from '../kinds/kind.js';
import type { Reader } from '../read/reader.js';
import { coversKind } from './actions.js';
import type { ScopeHierarchy } from './scope-hierarchy.js';

/** The place of an object, and the state to read. */
interface CoverageTarget {
  readonly hierarchy: ScopeHierarchy;
  readonly namespace: string;
  readonly reader: Reader;
  /** The object is to be created there, or moved there. */
  readonly isDestination?: boolean;
}

/** Whether an action is granted on an object: by its own scopes, by those of its containers, or of what it is about. */
export function isCovered(scopes: Scopes, object: ObjectAttributes, place: CoverageTarget): boolean {
  return reaches(scopes, object, place) || (scopes.basic !== undefined && basicReaches(scopes.basic, object, place));
}

/** Whether the widest scope of the action is granted, and holds for this object. */
export function hasEverywhere(
  scopes: Scopes,
  action: string,
  object: ObjectAttributes,
  place: CoverageTarget,
): boolean {
  if (isWidest(scopes, action)) return true;
  return scopes.basic !== undefined && isWidest(scopes.basic, action) && !isRestricted(object, place);
}

/** Whether the scopes cover every object of a kind, or every one that is not restricted. */
export function mayCoverAll(container: Kind | undefined, kind: Kind, action: string, scopes: Scopes): boolean {
  if (coversKind(container, kind, action, scopes)) return true;
  return scopes.basic !== undefined && coversKind(container, kind, action, scopes.basic);
}

/** Whether an action is granted on an object, and on all that lies in it, however private that is. */
export function isCoveredWholly(scopes: Scopes, object: ObjectAttributes, place: CoverageTarget): boolean {
  return reaches(scopes, object, place);
}

export function isWidest(scopes: Scopes, action: string): boolean {
  return scopes.everything || scopes.prefixes.includes(widestPrefix(action));
}

function reaches(
  scopes: Scopes,
  object: ObjectAttributes,
  { hierarchy, namespace, reader, isDestination = false }: CoverageTarget,
): boolean {
  if (scopes.everything) return true;
  const passes = (scope: string): boolean => covers(scopes, scope);
  return object.scopes.some(passes) || hierarchy.anyAncestor(object, namespace, reader, isDestination, passes);
}

/**
 * The same for permissions of basic roles. They come down from the top, or from the container that a binding names, and
 * end above the first restricted object. A binding on the restricted object itself holds in it.
 */
function basicReaches(basic: Scopes, object: ObjectAttributes, place: CoverageTarget): boolean {
  if (!isRestricted(object, place)) return reaches(basic, object, place);
  const { hierarchy, namespace, reader, isDestination = false } = place;
  if (basic.exact.size === 0) return false;
  return hierarchy.anyUnrestricted(object, namespace, reader, isDestination, (scope) => basic.exact.has(scope));
}

function isRestricted(
  object: ObjectAttributes,
  { hierarchy, namespace, reader, isDestination = false }: CoverageTarget,
): boolean {
  return hierarchy.isRestricted(object, namespace, reader, isDestination);
}

/**
 * Whether scopes can cover any object of a kind. Those of places, such as a folder, cover nothing of a kind whose
 * objects lie in no place, such as the preferences of the organization. `places` are the prefixes of the scopes of
 * places.
 */
export function mayCoverAny(scopes: Scopes, { container, about }: ScopeHierarchy, places: readonly string[]): boolean {
  if (container !== undefined || about !== undefined) return true;
  const isElsewhere = (scope: string): boolean => !places.some((place) => scope.startsWith(place));
  const { everything, prefixes, exact, basic } = scopes;
  if (everything || prefixes.some(isElsewhere) || [...exact].some(isElsewhere)) return true;
  return basic !== undefined && mayCoverAny(basic, { container, about } as ScopeHierarchy, places);
}

/** The prefixes of the scopes of places (`folders:`, `dashboards:`): of containers, and of what others are about. */
export function placesOf(kinds: readonly Kind[], byResource: ReadonlyMap<string, Kind>): readonly string[] {
  const resources = new Set(
    kinds.flatMap(({ containment, permissions }) => [containment?.resource, permissions?.about?.resource]),
  );
  const scopes = [...resources].flatMap((resource) => {
    const { apiVersion = '', kind = '', permissions } = byResource.get(resource ?? '') ?? {};
    return permissions?.scopes({ apiVersion, kind, metadata: { name: '' } }) ?? [];
  });
  return [...new Set(scopes.map((scope) => scope.slice(0, scope.indexOf(':') + 1)))].filter((prefix) => prefix !== '');
}
