import { createHash } from 'node:crypto';
import { convertZod } from '../../pkg/kube/openapi/zod.js';
import type { Kind } from '../kinds/kind.js';
import { placeAnnotations } from '../kinds/place-annotations.js';

const digests = new WeakMap<Kind, string>();

/**
 * Changes with the schemas of a kind and their defaults, and with what its place is made of: another version of the
 * server may make something else of the same configuration.
 */
export function schemaDigest(kind: Kind): string {
  const known = digests.get(kind) ?? digestOf(kind);
  digests.set(kind, known);
  return known;
}

function digestOf(kind: Kind): string {
  const { spec, members, status } = kind;
  const schemas = [spec, members, status].map((schema) => schema && convertZod(schema, '', 'object').schemas);
  return createHash('sha256')
    .update(JSON.stringify([schemas, placeAnnotations(kind)]))
    .digest('base64url');
}
