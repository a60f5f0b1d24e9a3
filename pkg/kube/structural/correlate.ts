import { isObject, type Members } from '../../system/object/is-object.js';
import { isNumber } from '../json/exact.js';
import { isEqual } from './equal.js';
import { printedJson } from './go-text.js';
import type { Structural } from './node.js';
import { memberOf, nodeOf } from './structural.js';

/**
 * A value and the one that it replaces, of an update. What Kubernetes calls CorrelatedObject
 * (apiserver/pkg/cel/common/equality.go).
 */
export interface Correlated {
  readonly structural: Structural;
  readonly value: unknown;
  readonly old: unknown;
  isSame: boolean | undefined;
  children: Map<string | number, Correlated> | undefined;
  /** Of a list of type map: its old items by their keys. */
  oldItems: Map<string, unknown> | undefined;
}

export function correlate(structural: Structural, value: unknown, old: unknown): Correlated {
  return { structural, value, old, isSame: undefined, children: undefined, oldItems: undefined };
}

/** Undefined if the member is new, or has no schema. */
export function correlatedMember(parent: Correlated, name: string): Correlated | undefined {
  const { value, old } = parent;
  const known = parent.children?.get(name);
  if (known !== undefined) return known;
  if (!isObject(value) || !isObject(old) || !Object.hasOwn(value, name) || !Object.hasOwn(old, name)) return undefined;
  const schema = memberOf(nodeOf(parent.structural), name);
  return schema === undefined ? undefined : keep(parent, name, correlate(schema, value[name], old[name]));
}

/** Only items of lists of type map have an old value: the one with the same keys. */
export function correlatedItem(parent: Correlated, index: number): Correlated | undefined {
  const known = parent.children?.get(index);
  if (known !== undefined) return known;
  const { items, listType } = nodeOf(parent.structural);
  if (!Array.isArray(parent.value) || !Array.isArray(parent.old) || items === undefined || listType !== 'map') {
    return undefined;
  }
  const value: unknown = parent.value[index];
  const old = oldItem(parent, parent.old, value);
  return old === undefined ? undefined : keep(parent, index, correlate(items, value, old));
}

function keep(parent: Correlated, at: string | number, made: Correlated): Correlated {
  parent.children ??= new Map();
  parent.children.set(at, made);
  return made;
}

function oldItem(parent: Correlated, items: readonly unknown[], value: unknown): unknown {
  const { type, listMapKeys } = nodeOf(parent.structural);
  if (type !== 'array' || listMapKeys.length === 0) return undefined;
  parent.oldItems ??= byKeys(items, listMapKeys);
  const keys = keysOf(value, listMapKeys);
  return keys === undefined ? undefined : parent.oldItems.get(keys);
}

function byKeys(items: readonly unknown[], names: readonly string[]): Map<string, unknown> {
  const results = new Map<string, unknown>();
  for (const item of items) {
    const keys = keysOf(item, names);
    if (keys !== undefined && !results.has(keys)) results.set(keys, item);
  }
  return results;
}

/** Undefined if a key is missing or is not a scalar. */
function keysOf(item: unknown, names: readonly string[]): string | undefined {
  if (!isObject(item)) return undefined;
  const keys = names.map((name) => (Object.hasOwn(item, name) ? item[name] : undefined));
  return keys.every(isScalar) ? printedJson(keys) : undefined;
}

function isScalar(value: unknown): boolean {
  return typeof value === 'string' || isNumber(value) || typeof value === 'boolean';
}

/**
 * Whether the value is what it was. Items of a list of type map may have moved. An object with members that no schema
 * describes is never the same, because Kubernetes cannot tell.
 */
export function isSame(correlated: Correlated): boolean {
  correlated.isSame ??= compared(correlated);
  return correlated.isSame;
}

function compared(correlated: Correlated): boolean {
  const { value, old } = correlated;
  if (Array.isArray(value))
    return Array.isArray(old) && value.length === old.length && haveSameItems(correlated, value, old);
  if (isObject(value)) return isObject(old) && haveSameMembers(correlated, value, old);
  return isEqual(value, old);
}

function haveSameMembers(parent: Correlated, value: Members, old: Members): boolean {
  const names = Object.keys(value);
  return names.length === Object.keys(old).length && names.every((name) => isSameChild(correlatedMember(parent, name)));
}

function haveSameItems(parent: Correlated, value: readonly unknown[], old: readonly unknown[]): boolean {
  if (nodeOf(parent.structural).listType !== 'map') return isEqual(value, old);
  return value.every((_, i) => isSameChild(correlatedItem(parent, i)));
}

function isSameChild(child: Correlated | undefined): boolean {
  return child !== undefined && isSame(child);
}
