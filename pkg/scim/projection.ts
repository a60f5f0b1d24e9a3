import { invalidValue } from './errors.js';
import type { Resource } from './match.js';
import { type Attribute, placeOf, type ResourceSchema } from './schema.js';

/** Which attributes an answer has (RFC 7644 §3.9). */
export interface Projection {
  readonly attributes: readonly string[];
  readonly excludedAttributes: readonly string[];
}

const MOST_NAMES = 100;

/** Names in lower case, without the URN of the schema. Throws ScimError if both are given. */
export function projection(
  attributes: readonly string[],
  excluded: readonly string[],
  schema: ResourceSchema,
): Projection {
  if (attributes.length > 0 && excluded.length > 0)
    throw invalidValue('attributes and excludedAttributes cannot be given together');
  if (attributes.length + excluded.length > MOST_NAMES)
    throw invalidValue(`at most ${MOST_NAMES} attributes can be named`);
  // Each name once: resources may have thousands of members, and each name goes through them.
  const names = (all: readonly string[]) => [
    ...new Set(all.map((name) => name.slice(schemaLength(name, schema)).toLowerCase())),
  ];
  return { attributes: names(attributes), excludedAttributes: names(excluded) };
}

function schemaLength(name: string, { urn }: ResourceSchema): number {
  return name.toLowerCase().startsWith(`${urn}:`.toLowerCase()) ? urn.length + 1 : 0;
}

/** Whether an answer has any of the attribute, so that it must be read. */
export function shows({ attributes, excludedAttributes }: Projection, name: string): boolean {
  const wanted = name.toLowerCase();
  if (excludedAttributes.includes(wanted)) return false;
  return attributes.length === 0 || attributes.some((one) => one === wanted || one.startsWith(`${wanted}.`));
}

export function projected(resource: Resource, which: Projection, schema: ResourceSchema): Resource {
  const { attributes, excludedAttributes } = which;
  if (attributes.length > 0) return only(resource, attributes, schema);
  const result: Record<string, unknown> = { ...resource };
  for (const name of excludedAttributes) {
    const { attribute, sub } = placeOf(name, schema) ?? {};
    if (attribute === undefined || attribute.returned === 'always') continue;
    if (sub === undefined) delete result[attribute.name];
    else result[attribute.name] = each(result[attribute.name], (value) => without(value, sub));
  }
  return result;
}

function only(resource: Resource, names: readonly string[], schema: ResourceSchema): Resource {
  const result: Record<string, unknown> = {};
  for (const { name, returned } of schema.attributes)
    if (returned === 'always' && resource[name] !== undefined) result[name] = resource[name];
  for (const path of names) {
    const { attribute, sub } = placeOf(path, schema) ?? {};
    const value = attribute && resource[attribute.name];
    if (attribute === undefined || value === undefined) continue;
    result[attribute.name] =
      sub === undefined
        ? value
        : mergeAll(
            result[attribute.name],
            each(value, (one) => pick(one, sub)),
          );
  }
  return result;
}

const pick = (value: Resource, { name }: Attribute): Resource =>
  value[name] === undefined ? {} : { [name]: value[name] };

function without(value: Resource, { name }: Attribute): Resource {
  const { [name]: _, ...rest } = value;
  return rest;
}

function each(value: unknown, change: (one: Resource) => Resource): unknown {
  if (value === undefined) return undefined;
  return Array.isArray(value) ? value.map((one) => change(one as Resource)) : change(value as Resource);
}

/** Two sub-attributes of the same values. */
function mergeAll(before: unknown, more: unknown): unknown {
  if (before === undefined) return more;
  if (!Array.isArray(before) || !Array.isArray(more)) return { ...(before as object), ...(more as object) };
  return before.map((one, index) => ({ ...(one as object), ...(more[index] as object) }));
}
