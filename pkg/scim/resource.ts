import { immutable, invalidSyntax, invalidValue } from './errors.js';
import type { Resource } from './match.js';
import { type Attribute, attributeNamed, type ResourceSchema, withoutUrn } from './schema.js';

/** Takes the path of what is ignored, for a warning. */
export type OnIgnored = (path: string) => void;

const LONGEST_TEXT = 1_000;

/**
 * The resource of a body, with the names of the schema. What clients cannot set is left out, and so is what has no
 * value. Attributes of RFC 7643 that this server does not keep are ignored. Throws ScimError for others.
 */
export function readResource(body: unknown, schema: ResourceSchema, onIgnored: OnIgnored): Resource {
  if (!isMembers(body)) throw invalidSyntax('the body must be a JSON object');
  const { attributes, urn } = schema;
  const schemas = attributeNamed(attributes, 'schemas');
  const named = Object.entries(body).find(([name]) => name.toLowerCase() === schemas?.name)?.[1];
  if (!Array.isArray(named) || !named.some((one) => String(one).toLowerCase() === urn.toLowerCase()))
    throw invalidSyntax(`schemas must name ${urn}`);
  return readMembers(body, { attributes, path: '', schema, onIgnored });
}

interface Reading {
  readonly attributes: readonly Attribute[];
  /** Of the members: `name.`, or empty. */
  readonly path: string;
  readonly schema: ResourceSchema;
  readonly onIgnored: OnIgnored;
}

function readMembers(body: Readonly<Record<string, unknown>>, reading: Reading): Record<string, unknown> {
  const { attributes, path, schema, onIgnored } = reading;
  const resource: Record<string, unknown> = {};
  for (const [sent, value] of Object.entries(body)) {
    const name = path === '' ? withoutUrn(sent, schema) : sent;
    const attribute = attributeNamed(attributes, name);
    if (attribute === undefined) {
      ignoreKnown(`${path}${name}`, schema, onIgnored);
      continue;
    }
    if (Object.hasOwn(resource, attribute.name)) throw invalidSyntax(`${path}${attribute.name} is given twice`);
    const read = attribute.mutability === 'readOnly' ? undefined : readValue(value, attribute, reading);
    if (read !== undefined) resource[attribute.name] = read;
  }
  return resource;
}

/** Throws ScimError unless RFC 7643 has the attribute. */
export function ignoreKnown(path: string, { ignored, type }: ResourceSchema, onIgnored: OnIgnored): void {
  const known = path.toLowerCase();
  const isKnown = ignored.has(known) || known.startsWith('urn:') || ignored.has(known.split('.')[0] ?? '');
  if (!isKnown) throw invalidValue(`a ${type} has no attribute ${JSON.stringify(path.slice(0, 100))}`);
  onIgnored(path);
}

/** The value of an attribute; undefined if it has none. Throws ScimError invalidValue. */
export function readValue(value: unknown, attribute: Attribute, reading: Omit<Reading, 'attributes'>): unknown {
  if (value === null || value === undefined) return undefined;
  if (!attribute.multiValued) return readOne(value, attribute, reading);
  const all = (Array.isArray(value) ? value : [value]).map((one) => readOne(one, attribute, reading));
  return all.length === 0 ? undefined : all;
}

function readOne(value: unknown, attribute: Attribute, reading: Omit<Reading, 'attributes'>): unknown {
  const { name, type } = attribute;
  if (type === 'complex') return readComplex(value, attribute, reading);
  // Entra ID sends "False".
  if (type === 'boolean') {
    const flag = typeof value === 'string' ? /^(true|false)$/i.exec(value)?.[0]?.toLowerCase() : value;
    if (flag === true || flag === 'true') return true;
    if (flag === false || flag === 'false') return false;
    throw invalidValue(`${reading.path}${name} must be true or false`);
  }
  if (typeof value !== 'string') throw invalidValue(`${reading.path}${name} must be a text`);
  if (value.length > LONGEST_TEXT) throw invalidValue(`${reading.path}${name} is too long`);
  return value;
}

/** Some clients send the value of a multi-valued attribute as a text. */
function readComplex(value: unknown, attribute: Attribute, reading: Omit<Reading, 'attributes'>): unknown {
  const { name, subAttributes = [], multiValued } = attribute;
  const members = multiValued && typeof value === 'string' ? { value } : value;
  if (!isMembers(members)) throw invalidValue(`${reading.path}${name} must be an object`);
  const whole = subAttributes.map((sub) => (multiValued ? { ...sub, mutability: 'readWrite' as const } : sub));
  return readMembers(members, { ...reading, attributes: whole, path: `${reading.path}${name}.` });
}

export function isMembers(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Throws ScimError for a required attribute that has no value. */
export function requireAttributes(resource: Resource, { own }: ResourceSchema): void {
  for (const { name, type, required } of own) {
    // A flag that is absent has its default.
    if (required && type !== 'boolean' && String(resource[name] ?? '').trim() === '')
      throw invalidValue(`${name} is required`);
  }
}

/** Throws ScimError mutability for an attribute that clients cannot set. */
export function refuseReadOnly({ name, mutability }: Attribute): void {
  if (mutability === 'readOnly') throw immutable(`${name} cannot be set`);
}
