import { isObject, type Members } from '../../system/object/is-object.js';
import { Work } from '../../system/yielding/work.js';
import { tooManyDefaults } from '../status/errors.js';
import { after, atOnce, type Changed, mapItems, mapMembers } from './copy.js';
import type { Node, Structural } from './node.js';
import { memberOf, nodeOf } from './structural.js';

/**
 * Removes the nulls that the schema does not allow and that have no default, and then fills in the defaults. Returns
 * the same object if nothing is different, and never changes the one that it gets. As
 * defaulting.PruneNonNullableNullsWithoutDefaults and defaulting.Default of apiextensions-apiserver. Throws a 413 if
 * the defaults are more than an object may have.
 */
export function applyDefaults<Type>(structural: Structural, object: Type): Type {
  return atOnce(startDefaults(structural, object));
}

/**
 * The same with pauses. With `keepsNulls`, a null that the schema does not allow stays, so that it is refused. As in
 * Kubernetes, this is so for what was applied.
 */
export function startDefaults<Type>(structural: Structural, object: Type, keepsNulls = false): Changed<Type> {
  return fill(object, structural, !keepsNulls, new Added()) as Changed<Type>;
}

/** Defaults of an object. More than this comes of defaults in a long list. */
const MOST_VALUES = 20_000;
const MOST_BYTES = 2 ** 20;

/**
 * The defaults that an object has got. Each item of a list gets its own, so that a small body of a large list could
 * become a very large object.
 */
class Added {
  readonly work = new Work();
  #values = 0;
  #bytes = 0;

  /** A copy of a default. */
  copy(value: unknown): unknown {
    this.#add(value);
    if (Array.isArray(value)) return value.map((item) => this.copy(item));
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [this.#name(name), this.copy(member)]));
  }

  #add(value: unknown): void {
    this.#values++;
    if (typeof value === 'string') this.#bytes += value.length;
    if (this.#values > MOST_VALUES || this.#bytes > MOST_BYTES) throw tooManyDefaults(MOST_VALUES, MOST_BYTES);
  }

  #name(name: string): string {
    this.#bytes += name.length;
    return name;
  }
}

/** `isSent`: the value is that of a client, whose nulls mean "not set". A null inside a default stays. */
function fill(value: unknown, structural: Structural | undefined, isSent: boolean, added: Added): Changed {
  if (structural === undefined || typeof value !== 'object' || value === null) return value;
  const node = nodeOf(structural);
  if (Array.isArray(value)) return fillItems(value, node.items, isSent, added);
  return isObject(value) ? fillMembers(value, node, isSent, added) : value;
}

function fillItems(list: readonly unknown[], items: Structural | undefined, isSent: boolean, added: Added): Changed {
  return items === undefined ? list : mapItems(list, added.work, (item) => fillItem(item, items, isSent, added));
}

function fillItem(item: unknown, items: Structural, isSent: boolean, added: Added): Changed {
  if (item !== null) return fill(item, items, isSent, added);
  return nodeOf(items).isNullable ? null : (madeDefault(items, added) ?? null);
}

function fillMembers(object: Members, node: Node, isSent: boolean, added: Added): Changed {
  const filled = mapMembers(object, added.work, (member, name) => {
    const schema = memberOf(node, name);
    if (schema === undefined) return member;
    if (member !== null) return fill(member, schema, isSent, added);
    if (nodeOf(schema).isNullable) return null;
    return madeDefault(schema, added) ?? (isSent ? undefined : null);
  });
  const missing = node.defaults.filter(([name]) => !Object.hasOwn(object, name));
  if (missing.length === 0) return filled;
  return after(filled, (present) => {
    const made = missing.map(([name, schema]) => [name, madeDefault(schema, added)]);
    return Object.fromEntries([...Object.entries(present), ...made]);
  });
}

/** A copy of the default, with the defaults of its own parts. Undefined without one. */
function madeDefault(schema: Structural, added: Added): unknown {
  const { default: value } = nodeOf(schema);
  return value === undefined ? undefined : atOnce(fill(added.copy(value), schema, false, added));
}
