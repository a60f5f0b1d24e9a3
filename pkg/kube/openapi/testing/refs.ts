import { mapSchema, type Schema } from '../schema.js';

/** The names of the schemas that a schema refers to. */
export function refsOf(schema: Schema): ReadonlySet<string> {
  const names = new Set<string>();
  mapSchema(schema, (part) => {
    if (typeof part['$ref'] === 'string') names.add(part['$ref'].slice(part['$ref'].lastIndexOf('/') + 1));
    return part;
  });
  return names;
}
