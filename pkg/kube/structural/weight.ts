import type { JsonSchema } from './json-schema.js';
import type { Structural } from './node.js';
import { partsOf, type Relation } from './schema-parts.js';

/** The most values that are checked at once. */
const LIGHT = 300;

/** Whether it may take longer than a millisecond to check a value. */
export function isHeavy(structural: Structural, value: unknown): boolean {
  if (value === null) return false;
  const most = LIGHT / branchesIn(structural.schema);
  if (typeof value !== 'object') return most < 1;
  return countUpTo(value, most) > most;
}

/** The number of values in a value, or somewhat more than `most`. */
function countUpTo(value: unknown, most: number): number {
  if (typeof value !== 'object' || value === null) return 1;
  if (Array.isArray(value)) {
    if (value.length > most) return value.length;
    let count = 1;
    for (const item of value) {
      count += countUpTo(item, most - count);
      if (count > most) break;
    }
    return count;
  }
  let count = 1;
  for (const name in value) {
    count += countUpTo((value as Readonly<Record<string, unknown>>)[name], most - count);
    if (count > most) break;
  }
  return count;
}

const known = new WeakMap<JsonSchema, number>();

/** How often one value is checked at most, because of the branches of an anyOf and the like: 1 without any. */
function branchesIn(schema: JsonSchema): number {
  const before = known.get(schema);
  if (before !== undefined) return before;
  let own = 1;
  let most = 1;
  for (const { schema: part, relation } of partsOf(schema, '')) {
    if (BRANCHES.has(relation)) own += branchesIn(part);
    else most = Math.max(most, branchesIn(part));
  }
  most = Math.max(most, own);
  known.set(schema, most);
  return most;
}

const BRANCHES: ReadonlySet<Relation> = new Set(['anyOf', 'oneOf', 'allOf', 'not']);
