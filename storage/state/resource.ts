import type { IndexRow } from '../backend.js';
import type { Key } from '../key.js';

/**
 * The parts of an object that are extracted once, when it enters the cache, so that selectors and look-ups need no
 * parsing.
 */
export interface Attributes {
  readonly labels: Readonly<Record<string, string>> | undefined;
  /** Values of the declared selectable fields. */
  readonly fields: Readonly<Record<string, string>> | undefined;
  /** The narrowest scopes on which permissions for it are granted. */
  readonly scopes?: readonly string[] | undefined;
  /** The actions that reading it needs, if they differ between the objects of the resource. */
  readonly reading?: readonly string[] | undefined;
  /** Name of the object that it lies in. */
  readonly container?: string | undefined;
  /** Name of the object that it is about, if permissions on that are permissions on it. */
  readonly about?: string | undefined;
  /** The object that it depends on. */
  readonly owner?: Owner | undefined;
  /** metadata.uid of an object that other objects may depend on. */
  readonly uid?: string | undefined;
  /** It was deleted, and stays until no finalizer holds it. */
  readonly isTerminating?: boolean;
  /** It names owners. */
  readonly isOwned?: boolean;
  /** Permissions of the basic roles do not reach it. */
  readonly isRestricted?: boolean;
  /** It names an object that does not exist yet. */
  readonly isWaiting?: boolean;
  /** The text in which searches look, in lower case. */
  readonly text?: string | undefined;
  /** The parts of it that lists show. */
  readonly summary?: unknown;
}

/** Whether permissions on the objects, and on what lies in them or is about them, are the same. */
export function haveSameLayout(a: Attributes, b: Attributes): boolean {
  return (
    a.container === b.container &&
    a.about === b.about &&
    (a.isRestricted === true) === (b.isRestricted === true) &&
    (a.isWaiting === true) === (b.isWaiting === true) &&
    haveSameScopes(a.scopes ?? [], b.scopes ?? [])
  );
}

function haveSameScopes(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((scope, i) => scope === others[i]);
}

/** An object in the namespace of the object that names it. A later object with the same name has another uid. */
export interface Owner {
  readonly name: string;
  readonly uid: string;
}

/** All that the storage layer knows of a resource. */
export interface ResourceDefinition {
  /** `<plural>.<group>`: the first part of its keys. */
  readonly resource: string;
  /** The most bytes of an object. One that is larger already may change, but not grow. */
  readonly maxBytes?: number | undefined;
  /** Pure. Gets the object as `decodeObject` gives it. */
  extract(object: unknown, key: Key): Attributes;
  /** The rows of its indexes (client-go: indexers). Pure. `size`: the bytes of the stored object. */
  rows?(object: unknown, key: Key, size: number): readonly IndexRow[];
}
