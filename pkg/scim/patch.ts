import { immutable, invalidPath, invalidSyntax, invalidValue, ScimError } from './errors.js';
import { type Filter, parseValuePath, type ValuePath } from './filter.js';
import { type Resource, valueMatcher, valuesOf } from './match.js';
import { ignoreKnown, isMembers, type OnIgnored, readValue, refuseReadOnly } from './resource.js';
import { type Attribute, attributeNamed, ENTERPRISE, placeOf, type ResourceSchema, withoutUrn } from './schema.js';

const PATCH_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const OPS = ['add', 'replace', 'remove'] as const;
type Op = (typeof OPS)[number];
const MOST_OPERATIONS = 1_000;

/** One change of one attribute. */
export interface Change {
  readonly op: Op;
  readonly attribute: Attribute;
  readonly sub?: Attribute | undefined;
  /** Which of the values of a multi-valued attribute. */
  readonly filter?: Filter | undefined;
  /** Read by the schema; undefined: none. */
  readonly value: unknown;
}

/**
 * The changes of a PATCH (RFC 7644 §3.5.2), in the dialects of Okta and Entra ID: `op` in any case, no path with an
 * object, dotted names in that object. Throws ScimError.
 */
export function readPatch(body: unknown, schema: ResourceSchema, onIgnored: OnIgnored): readonly Change[] {
  if (!isMembers(body)) throw invalidSyntax('the body must be a JSON object');
  const members = new Map(Object.entries(body).map(([name, value]) => [name.toLowerCase(), value]));
  const [schemas, operations] = [members.get('schemas'), members.get('operations')];
  if (!Array.isArray(schemas) || !schemas.includes(PATCH_SCHEMA))
    throw invalidSyntax(`schemas must name ${PATCH_SCHEMA}`);
  if (!Array.isArray(operations) || operations.length === 0) throw invalidSyntax('Operations must have an operation');
  if (operations.length > MOST_OPERATIONS) throw invalidValue(`a PATCH has at most ${MOST_OPERATIONS} operations`);
  return operations.flatMap((operation) => changesOf(operation, schema, onIgnored));
}

function changesOf(operation: unknown, schema: ResourceSchema, onIgnored: OnIgnored): readonly Change[] {
  if (!isMembers(operation)) throw invalidSyntax('an operation must be an object');
  const op = OPS.find((one) => one === String(operation['op']).toLowerCase());
  if (op === undefined)
    throw invalidSyntax(`${JSON.stringify(operation['op'])} is no operation: use add, replace or remove`);
  const { path, value } = operation;
  if (path !== undefined && path !== null && path !== '') {
    if (typeof path !== 'string') throw invalidPath('a path must be a text');
    return changeAt(op, path, value, schema, onIgnored);
  }
  if (op === 'remove') throw new ScimError(400, 'noTarget', 'remove needs a path');
  if (!isMembers(value)) throw invalidValue('without a path, the value must be an object');
  return Object.entries(value).flatMap(([name, member]) => changeAt(op, name, member, schema, onIgnored, true));
}

function changeAt(
  op: Op,
  text: string,
  value: unknown,
  schema: ResourceSchema,
  onIgnored: OnIgnored,
  isMember = false,
): readonly Change[] {
  const { path, filter, sub: subName } = parsedPath(withoutUrn(text, schema));
  const place = placeOf(path, schema);
  if (place === undefined) {
    ignoreUnknown(path, schema, onIgnored);
    return [];
  }
  const { attribute } = place;
  const sub = place.sub ?? (subName === undefined ? undefined : attributeNamed(attribute.subAttributes, subName));
  if (sub === undefined && subName !== undefined) {
    ignoreUnknown(`${path}.${subName}`, schema, onIgnored);
    return [];
  }
  if (filter !== undefined && (!attribute.multiValued || attribute.subAttributes === undefined))
    throw invalidPath(`${path} has one value, which needs no filter`);
  // Clients send back what they have read, with schemas and id in it.
  if (isMember && attribute.mutability === 'readOnly') return [];
  if (attribute.name === 'schemas') return [];
  refuseReadOnly(attribute);
  if (sub !== undefined && !attribute.multiValued) refuseReadOnly(sub);
  if (op === 'remove' && attribute.required && sub === undefined) throw immutable(`${attribute.name} is required`);
  const isRemoved = op === 'remove' && !(attribute.multiValued && filter === undefined && value != null);
  const read = isRemoved ? undefined : valueFor(value, { attribute, sub, filter }, schema, onIgnored);
  return [{ op, attribute, sub, filter, value: read }];
}

function parsedPath(text: string): ValuePath {
  try {
    return parseValuePath(text);
  } catch (error) {
    if (!(error instanceof ScimError)) throw error;
    throw text.includes('[')
      ? error
      : invalidPath(`${JSON.stringify(text.slice(0, 200))} is no path: ${error.message}`);
  }
}

function ignoreUnknown(path: string, schema: ResourceSchema, onIgnored: OnIgnored): void {
  const isExtension = path.toLowerCase().startsWith(ENTERPRISE.toLowerCase());
  try {
    if (isExtension) onIgnored(path);
    else ignoreKnown(path, schema, onIgnored);
  } catch {
    throw invalidPath(`a ${schema.type} has no attribute ${JSON.stringify(path.slice(0, 200))}`);
  }
}

/** With a filter, the value is one of the values, and otherwise what the attribute has. */
function valueFor(
  value: unknown,
  { attribute, sub, filter }: Pick<Change, 'attribute' | 'sub' | 'filter'>,
  schema: ResourceSchema,
  onIgnored: OnIgnored,
): unknown {
  const path = sub === undefined ? '' : `${attribute.name}.`;
  const single = sub ?? (filter === undefined ? attribute : { ...attribute, multiValued: false });
  return readValue(value, single, { path, schema, onIgnored });
}

/** The resource after the changes, one after another. The given one stays as it is. Throws ScimError. */
export function patched(resource: Resource, changes: readonly Change[]): Resource {
  const next: Record<string, unknown> = structuredClone(resource);
  for (const change of changes) apply(next, change);
  return next;
}

function apply(resource: Record<string, unknown>, change: Change): void {
  const { attribute, sub, filter, op } = change;
  if (attribute.multiValued) {
    const values = valuesAfter(resource, change);
    set(resource, attribute, values.length === 0 ? undefined : values);
    return;
  }
  if (sub === undefined) {
    const merged = op === 'add' || op === 'replace' ? mergedValue(resource[attribute.name], change.value) : undefined;
    set(resource, attribute, merged);
    return;
  }
  if (filter !== undefined) throw invalidPath(`${attribute.name} has one value`);
  const inner = { ...(resource[attribute.name] as Record<string, unknown> | undefined) };
  set(inner, sub, change.value);
  set(resource, attribute, Object.keys(inner).length === 0 ? undefined : inner);
}

/** A complex value keeps the sub-attributes that the new one does not have (RFC 7644 §3.5.2.3). */
function mergedValue(old: unknown, value: unknown): unknown {
  return isMembers(old) && isMembers(value) ? { ...old, ...value } : value;
}

function valuesAfter(resource: Resource, change: Change): readonly Resource[] {
  const { op, attribute, sub, filter, value } = change;
  const old = valuesOf(resource, attribute) as readonly Resource[];
  if (filter !== undefined) return filtered(old, { ...change, filter });
  if (sub !== undefined)
    return old.length === 0 && op !== 'remove'
      ? [{ [sub.name]: value }]
      : old.map((one) => withSub(one, sub, op, value));
  const given = (value ?? []) as readonly Resource[];
  if (op === 'replace') return given;
  if (op === 'remove')
    return value === undefined ? [] : old.filter((one) => !given.some((other) => isSameValue(one, other)));
  return [...old.filter((one) => !given.some((other) => isSameValue(one, other))), ...given];
}

function filtered(old: readonly Resource[], change: Change & { readonly filter: Filter }): readonly Resource[] {
  const { op, attribute, sub, filter, value } = change;
  const fits = valueMatcher(filter, attribute);
  const isFound = old.some(fits);
  if (op === 'remove') {
    if (!isFound) throw new ScimError(400, 'noTarget', `no value of ${attribute.name} fulfils the filter`);
    return sub === undefined
      ? old.filter((one) => !fits(one))
      : old.map((one) => (fits(one) ? withSub(one, sub, op, undefined) : one));
  }
  const changed = (one: Resource): Resource =>
    sub === undefined ? { ...one, ...(value as Resource) } : withSub(one, sub, op, value);
  if (isFound) return old.map((one) => (fits(one) ? changed(one) : one));
  // Entra ID expects that the value is made: emails[type eq "work"].value
  return [...old, changed(Object.fromEntries(demands(filter, attribute)))];
}

/** The members that a filter of `eq` alone demands. */
function demands(filter: Filter, attribute: Attribute): readonly (readonly [string, unknown])[] {
  if (filter.op === 'and') return [...demands(filter.left, attribute), ...demands(filter.right, attribute)];
  const sub = 'path' in filter ? attributeNamed(attribute.subAttributes, filter.path) : undefined;
  if (filter.op === 'eq' && sub !== undefined) return filter.value === null ? [] : [[sub.name, filter.value]];
  throw new ScimError(400, 'noTarget', 'no value fulfils the filter');
}

function withSub(one: Resource, sub: Attribute, op: Op, value: unknown): Resource {
  const next = { ...one };
  set(next, sub, op === 'remove' ? undefined : value);
  return next;
}

const isSameValue = (one: Resource, other: Resource): boolean => one['value'] === other['value'];

function set(resource: Record<string, unknown>, { name, mutability }: Attribute, value: unknown): void {
  if (mutability === 'readOnly' && value === undefined) throw immutable(`${name} cannot be removed`);
  if (value === undefined) delete resource[name];
  else resource[name] = value;
}
