import type { KubeObject } from '../../pkg/meta/types.js';
import type { Entry, Guarded } from '../access.js';
import type { Kind } from '../kind.js';
import { objectOfEntry } from '../view.js';

const NONE: readonly string[] = [];

/** A stored object, as decisions see it. */
export function guardedEntry(entry: Entry): Guarded {
  const { scopes = NONE, container } = entry.attributes;
  return { scopes, container, read: () => objectOfEntry(entry) };
}

/** An object that is not stored yet. */
export function guardedObject(kind: Kind, object: KubeObject): Guarded {
  return {
    scopes: kind.permissions?.scopes(object) ?? NONE,
    container: kind.containment?.container(object),
    read: () => object,
  };
}
