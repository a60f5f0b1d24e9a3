import { isObject, type Members } from '../../system/object/is-object.js';
import { Work } from '../../system/yielding/work.js';
import { atOnce, mapMembers } from './copy.js';
import { coerce, hasEmbedded } from './embedded.js';
import { isEqual } from './equal.js';
import type { JsonSchema } from './json-schema.js';
import type { Structural } from './node.js';
import { prune } from './prune.js';
import { additionalSchema, hasDefault, itemSchema } from './schema-parts.js';
import { compile } from './structural.js';

/** The way from an object to one of its parts: the names of members, and 0 for the only item of a list. */
export type Way = readonly (string | 0)[];

/**
 * The schema with defaults that have only what an object keeps, so that they bring no unknown fields into the metadata
 * of embedded resources. The same schema if nothing is different. As defaulting.PruneDefaults of
 * apiextensions-apiserver.
 */
export function pruneDefaults(root: JsonSchema): JsonSchema {
  return hasEmbedded(root) ? pruned(root, [], false, compile(root)) : root;
}

function pruned(schema: JsonSchema, way: Way, isInside: boolean, root: Structural): JsonSchema {
  const inside = isInside || schema['x-kubernetes-embedded-resource'] === true;
  if (!inside && !hasEmbedded(schema)) return schema;
  const [items, additional] = [itemSchema(schema), additionalSchema(schema)];
  const below = (part: JsonSchema, step: string | 0): JsonSchema => pruned(part, [...way, step], inside, root);
  const changes: Members = {
    ...(hasDefault(schema) && { default: kept(schema.default, way, root) }),
    ...(items !== undefined && { items: below(items, 0) }),
    ...(additional !== undefined && { additionalProperties: below(additional, '*') }),
    ...(schema.properties != null && {
      properties: atOnce(mapMembers(schema.properties, new Work(), (part, name) => below(part as JsonSchema, name))),
    }),
  };
  const isChanged = Object.entries(changes).some(([name, value]) => value !== schema[name as keyof JsonSchema]);
  return isChanged ? { ...schema, ...changes } : schema;
}

/** Undefined if nothing of the default is kept. */
function kept(value: unknown, way: Way, root: Structural): unknown {
  const { object } = coerce(root, surrounded(value, way), { isResourceRoot: true, dropsInvalid: true });
  const left = partOf(prune(root, object, { isResourceRoot: true }).object, way);
  return isEqual(left, value) ? value : left;
}

/** An object that has only this value. */
export function surrounded(value: unknown, way: Way): unknown {
  return way.reduceRight<unknown>((inner, step) => (step === 0 ? [inner] : Object.fromEntries([[step, inner]])), value);
}

function partOf(object: unknown, way: Way): unknown {
  return way.reduce<unknown>((outer, step) => {
    if (Array.isArray(outer)) return outer[0];
    return isObject(outer) && Object.hasOwn(outer, step) ? outer[step] : undefined;
  }, object);
}
