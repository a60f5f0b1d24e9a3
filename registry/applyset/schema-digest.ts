import { createHash } from 'node:crypto';
import { convertZod } from '../../pkg/openapi/zod.js';
import type { Kind } from '../kinds/kind.js';

const digests = new WeakMap<Kind, string>();

/** Changes with the schemas of a kind and their defaults: another version of the server may make something else of the same configuration. */
export function schemaDigest(kind: Kind): string {
  const known = digests.get(kind) ?? digestOf(kind);
  digests.set(kind, known);
  return known;
}

function digestOf({ spec, members, status }: Kind): string {
  const schemas = [spec, members, status].map((schema) => schema && convertZod(schema, '', 'object').schemas);
  return createHash('sha256').update(JSON.stringify(schemas)).digest('base64url');
}
