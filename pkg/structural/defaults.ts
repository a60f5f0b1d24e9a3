import { isObject, type Members } from '../object/is-object.js';
import { deepCopy, mapItems, mapMembers } from './copy.js';
import type { Node, Structural } from './node.js';
import { memberOf, nodeOf } from './structural.js';

/**
 * Removes the nulls that the schema does not allow and that have no default, and then fills in the defaults. Returns the same object if nothing is
 * different, and never changes the one that it gets. As defaulting.PruneNonNullableNullsWithoutDefaults and defaulting.Default of
 * apiextensions-apiserver.
 */
export function applyDefaults<Type>(structural: Structural, object: Type): Type {
  return fill(object, structural, true) as Type;
}

/** `isSent`: the value comes from a client. A null inside a default stays. */
function fill(value: unknown, structural: Structural | undefined, isSent: boolean): unknown {
  if (structural === undefined || typeof value !== 'object' || value === null) return value;
  const node = nodeOf(structural);
  if (Array.isArray(value)) return fillItems(value, node.items, isSent);
  return isObject(value) ? fillMembers(value, node, isSent) : value;
}

function fillItems(list: readonly unknown[], items: Structural | undefined, isSent: boolean): unknown {
  return items === undefined ? list : mapItems(list, (item) => fillItem(item, items, isSent));
}

function fillItem(item: unknown, items: Structural, isSent: boolean): unknown {
  if (item !== null) return fill(item, items, isSent);
  return nodeOf(items).isNullable ? null : (madeDefault(items) ?? null);
}

function fillMembers(object: Members, node: Node, isSent: boolean): Members {
  const filled = mapMembers(object, (member, name) => {
    const schema = memberOf(node, name);
    if (schema === undefined) return member;
    if (member !== null) return fill(member, schema, isSent);
    if (nodeOf(schema).isNullable) return null;
    return madeDefault(schema) ?? (isSent ? undefined : null);
  });
  const missing = node.defaults.filter(([name]) => !Object.hasOwn(object, name));
  if (missing.length === 0) return filled;
  const made = missing.map(([name, schema]) => [name, madeDefault(schema)]);
  return Object.fromEntries([...Object.entries(filled), ...made]);
}

/** A copy of the default, with the defaults of its own parts. Undefined without one. */
function madeDefault(schema: Structural): unknown {
  const { default: value } = nodeOf(schema);
  return value === undefined ? undefined : fill(deepCopy(value), schema, false);
}
