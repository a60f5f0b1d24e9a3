import type { JsonSchema } from './json-schema.js';
import { additionalSchema, itemSchema } from './schema-parts.js';

/**
 * Whether a schema, or one of those of its members and items, has something. The answers are remembered, because every
 * write asks.
 */
export function anywhere(has: (schema: JsonSchema) => boolean): (schema: JsonSchema) => boolean {
  const known = new WeakMap<JsonSchema, boolean>();
  const find = (schema: JsonSchema): boolean => {
    const before = known.get(schema);
    if (before !== undefined) return before;
    const below = [itemSchema(schema), additionalSchema(schema), ...Object.values(schema.properties ?? {})];
    const found = has(schema) || below.some((part) => part !== undefined && find(part));
    known.set(schema, found);
    return found;
  };
  return find;
}
