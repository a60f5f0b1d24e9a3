import { covers, type Scopes, widestPrefix } from '../../pkg/authz/grants.js';
import type { Kind } from '../kinds/kind.js';
import type { Reader } from '../read/reader.js';
import { coversKind } from './actions.js';
import type { ObjectAttributes } from './authorizer.js';
import type { ScopeHierarchy } from './scope-hierarchy.js';

/** The place of an object, and the state to read. */
export interface Place {
  readonly hierarchy: ScopeHierarchy;
  readonly namespace: string;
  readonly reader: Reader;
  /** The object is to be created there, or moved there. */
  readonly isDestination?: boolean;
}

/** Whether an action is granted on an object: by its own scopes, by those of its containers, or of what it is about. */
export function isCovered(scopes: Scopes, object: ObjectAttributes, place: Place): boolean {
  if (reaches(scopes, object, place)) return true;
  return scopes.basic !== undefined && reaches(scopes.basic, object, place) && !isRestricted(object, place);
}

/** Whether the widest scope of the action is granted, and holds for this object. */
export function hasEverywhere(scopes: Scopes, action: string, object: ObjectAttributes, place: Place): boolean {
  if (isWidest(scopes, action)) return true;
  return scopes.basic !== undefined && isWidest(scopes.basic, action) && !isRestricted(object, place);
}

/** Whether the scopes cover every object of a kind, or every one that is not restricted. */
export function mayCoverAll(container: Kind | undefined, kind: Kind, action: string, scopes: Scopes): boolean {
  if (coversKind(container, kind, action, scopes)) return true;
  return scopes.basic !== undefined && coversKind(container, kind, action, scopes.basic);
}

function isWidest(scopes: Scopes, action: string): boolean {
  return scopes.everything || scopes.prefixes.includes(widestPrefix(action));
}

function reaches(
  scopes: Scopes,
  object: ObjectAttributes,
  { hierarchy, namespace, reader, isDestination = false }: Place,
): boolean {
  if (scopes.everything) return true;
  const passes = (scope: string): boolean => covers(scopes, scope);
  return object.scopes.some(passes) || hierarchy.anyAncestor(object, namespace, reader, isDestination, passes);
}

function isRestricted(
  object: ObjectAttributes,
  { hierarchy, namespace, reader, isDestination = false }: Place,
): boolean {
  return hierarchy.isRestricted(object, namespace, reader, isDestination);
}
