import type { JsonSchema } from '../../structural/json-schema.js';
import { additionalSchema, itemSchema } from '../../structural/schema-parts.js';

/** A value and the one that it had before. */
export interface Correlation {
  readonly schema: JsonSchema;
  readonly value: unknown;
  readonly old: unknown;
  /** Known after the first comparison. */
  isSame?: boolean;
  oldItems?: OldItems;
}

export function correlate(schema: JsonSchema, value: unknown, old: unknown): Correlation {
  return { schema, value, old };
}

/** The member of both values. Undefined if one of them does not have it. */
export function correlatedMember({ schema, value, old }: Correlation, name: string): Correlation | undefined {
  if (!isObject(value) || !isObject(old) || !Object.hasOwn(value, name) || !Object.hasOwn(old, name)) return undefined;
  const properties = schema.properties ?? {};
  const inner = Object.hasOwn(properties, name) ? properties[name] : additionalSchema(schema);
  return inner === undefined ? undefined : correlate(inner, value[name], old[name]);
}

/** The element with the same keys in the old list, if it is a list of type map. */
export function correlatedElement(c: Correlation, index: number): Correlation | undefined {
  if (!Array.isArray(c.value) || !Array.isArray(c.old) || index >= c.value.length) return undefined;
  const items = itemSchema(c.schema);
  c.oldItems ??= oldItemsOf(c.schema, c.old);
  const old = c.oldItems(c.value[index]);
  return items === undefined || old == null ? undefined : correlate(items, c.value[index], old);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether the value is as it was. */
export function isUnchanged(c: Correlation | undefined): boolean {
  if (c === undefined) return false;
  c.isSame ??= compare(c);
  return c.isSame;
}

function compare(c: Correlation): boolean {
  const { schema, value, old } = c;
  if (Array.isArray(value)) {
    if (!Array.isArray(old) || old.length !== value.length) return false;
    if (schema['x-kubernetes-list-type'] !== 'map') return sameJson(value, old);
    return value.every((_, index) => isUnchanged(correlatedElement(c, index)));
  }
  if (!isObject(value)) return value === old;
  if (!isObject(old)) return false;
  const names = Object.keys(value);
  return names.length === Object.keys(old).length && names.every((name) => isUnchanged(correlatedMember(c, name)));
}

function sameJson(a: unknown, b: unknown): boolean {
  if (Array.isArray(a))
    return Array.isArray(b) && a.length === b.length && a.every((value, i) => sameJson(value, b[i]));
  if (!isObject(a)) return a === b;
  if (!isObject(b)) return false;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && sameJson(a[name], b[name]))
  );
}

/** Finds the first element of an old list that has the keys of a new one. */
export type OldItems = (item: unknown) => unknown;

export function oldItemsOf(schema: JsonSchema, old: unknown): OldItems {
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  if (schema['x-kubernetes-list-type'] !== 'map' || keys.length === 0 || !Array.isArray(old)) return () => undefined;
  let byKey: Map<string, unknown> | undefined;
  return (item) => {
    byKey ??= indexed(old, keys);
    const wanted = compositeKey(item, keys);
    return wanted === undefined ? undefined : byKey.get(wanted);
  };
}

function indexed(items: readonly unknown[], keys: readonly string[]): Map<string, unknown> {
  const byKey = new Map<string, unknown>();
  for (const item of items) {
    const itemKey = compositeKey(item, keys);
    if (itemKey !== undefined && !byKey.has(itemKey)) byKey.set(itemKey, item);
  }
  return byKey;
}

function compositeKey(item: unknown, keys: readonly string[]): string | undefined {
  if (!isObject(item)) return undefined;
  const values = keys.map((name) => (Object.hasOwn(item, name) ? item[name] : undefined));
  if (values.some((value) => value == null || typeof value === 'object')) return undefined;
  return JSON.stringify(values);
}
