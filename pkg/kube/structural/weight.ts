import type { JsonSchema } from './json-schema.js';
import type { Structural } from './node.js';
import { partsOf, type Relation } from './schema-parts.js';

/** The most values that are checked at once. */
const LIGHT = 300;

/** Whether it may take longer than a millisecond to check a value. */
export function isHeavy(structural: Structural, value: unknown): boolean {
  if (value === null) return false;
  const max = LIGHT / branchesIn(structural.schema);
  if (typeof value !== 'object') return max < 1;
  return countUpTo(value, max) > max;
}

/** The number of values in a value, or somewhat more than `max`. */
function countUpTo(value: unknown, max: number): number {
  if (typeof value !== 'object' || value === null) return 1;
  if (Array.isArray(value)) {
    if (value.length > max) return value.length;
    let count = 1;
    for (const item of value) {
      count += countUpTo(item, max - count);
      if (count > max) break;
    }
    return count;
  }
  let count = 1;
  for (const name in value) {
    count += countUpTo((value as Readonly<Record<string, unknown>>)[name], max - count);
    if (count > max) break;
  }
  return count;
}

const known = new WeakMap<JsonSchema, number>();

/** How often one value is checked at most, because of the branches of an anyOf and the like: 1 without any. */
function branchesIn(schema: JsonSchema): number {
  const before = known.get(schema);
  if (before !== undefined) return before;
  let count = 1;
  let max = 1;
  for (const { schema: part, relation } of partsOf(schema, '')) {
    if (BRANCHES.has(relation)) count += branchesIn(part);
    else max = Math.max(max, branchesIn(part));
  }
  max = Math.max(max, count);
  known.set(schema, max);
  return max;
}

const BRANCHES: ReadonlySet<Relation> = new Set(['anyOf', 'oneOf', 'allOf', 'not']);
