import { fold } from '../kube/meta/fold.js';
import { invalidFilter } from './errors.js';
import type { Compared, Comparison, Filter } from './filter.js';
import { type Attribute, attributeNamed, placeOf, type ResourceSchema } from './schema.js';

/** A resource, or a complex value in it. Its members have the names of the schema. */
export type Resource = Readonly<Record<string, unknown>>;
type Test = (value: Resource) => boolean;

/** Whether a resource fulfils the filter. Throws ScimError invalidFilter for what the schema does not have. */
export function matcher(filter: Filter, schema: ResourceSchema): Test {
  const place = (path: string): readonly Attribute[] => {
    const found = placeOf(path, schema);
    if (found === undefined || found.attribute.returned === 'never')
      throw invalidFilter(`there is no attribute ${JSON.stringify(path)} to filter by`);
    return found.sub === undefined ? [found.attribute] : [found.attribute, found.sub];
  };
  return testOf(filter, place);
}

/** The same for one value of a multi-valued attribute. */
export function valueMatcher(filter: Filter, attribute: Attribute): Test {
  return testOf(filter, (path) => {
    const sub = attributeNamed(attribute.subAttributes, path);
    if (sub === undefined) throw invalidFilter(`${attribute.name} has no ${JSON.stringify(path)} to filter by`);
    return [sub];
  });
}

function testOf(filter: Filter, place: (path: string) => readonly Attribute[]): Test {
  switch (filter.op) {
    case 'and':
    case 'or': {
      const [left, right] = [testOf(filter.left, place), testOf(filter.right, place)];
      return filter.op === 'and' ? (value) => left(value) && right(value) : (value) => left(value) || right(value);
    }
    case 'not': {
      const inner = testOf(filter.filter, place);
      return (value) => !inner(value);
    }
    case 'has': {
      const [attribute, more] = place(filter.path);
      if (attribute?.subAttributes === undefined || more !== undefined)
        throw invalidFilter(`${filter.path} has no sub-attributes to filter by`);
      const inner = valueMatcher(filter.filter, attribute);
      return (value) => valuesOf(value, attribute).some((one) => inner(one as Resource));
    }
    case 'pr': {
      const path = place(filter.path);
      return (value) => valuesAt(value, path).some((one) => one !== '');
    }
    default:
      return comparison(filter, simple(place(filter.path)));
  }
}

/** A comparison with a complex attribute is one with its `value` (RFC 7644 §3.4.2.2). */
function simple(path: readonly Attribute[]): readonly Attribute[] {
  const last = path.at(-1);
  if (last?.type !== 'complex') return path;
  const value = attributeNamed(last.subAttributes, 'value');
  if (value === undefined) throw invalidFilter(`${last.name} cannot be compared: name one of its sub-attributes`);
  return [...path, value];
}

type Comparing = Extract<Filter, { readonly op: Comparison }>;

function comparison({ op, value: wanted }: Comparing, path: readonly Attribute[]): Test {
  const attribute = path.at(-1) as Attribute;
  if (wanted === null) {
    if (op !== 'eq' && op !== 'ne') throw invalidFilter(`null can only be compared with eq and ne`);
    return (value) => (valuesAt(value, path).length === 0) === (op === 'eq');
  }
  const matches = attribute.type === 'boolean' ? ofBooleans(op, attribute, wanted) : ofTexts(op, attribute, wanted);
  // "ne" is true for an attribute that has no value.
  if (op === 'ne') return (value) => !valuesAt(value, path).some((one) => !matches(one));
  return (value) => valuesAt(value, path).some(matches);
}

function ofBooleans(op: Comparison, { name }: Attribute, wanted: Compared): (value: unknown) => boolean {
  const operand =
    typeof wanted === 'string' && /^(true|false)$/i.test(wanted) ? wanted.toLowerCase() === 'true' : wanted;
  if ((op !== 'eq' && op !== 'ne') || typeof operand !== 'boolean')
    throw invalidFilter(`${name} can only be compared with eq or ne, and true or false`);
  return (value) => (value === operand) === (op === 'eq');
}

function ofTexts(op: Comparison, attribute: Attribute, wanted: Compared): (value: unknown) => boolean {
  if (typeof wanted !== 'string') throw invalidFilter(`${attribute.name} is compared with a text in double quotes`);
  if (attribute.type === 'dateTime' && !/^(co|sw|ew)$/.test(op)) return ofTimes(op, attribute, wanted);
  const form = attribute.caseExact ? (text: string): string => text : fold;
  const operand = form(wanted);
  return (value) => typeof value === 'string' && compare(op, form(value), operand);
}

function ofTimes(op: Comparison, { name }: Attribute, wanted: string): (value: unknown) => boolean {
  const operand = Date.parse(wanted);
  if (Number.isNaN(operand)) throw invalidFilter(`${name} is compared with a time such as "2026-01-31T12:00:00Z"`);
  return (value) => compare(op, Date.parse(String(value)), operand);
}

function compare(op: Comparison, value: string | number, operand: string | number): boolean {
  switch (op) {
    case 'eq':
      return value === operand;
    case 'ne':
      return value !== operand;
    case 'gt':
      return value > operand;
    case 'ge':
      return value >= operand;
    case 'lt':
      return value < operand;
    case 'le':
      return value <= operand;
    case 'co':
      return String(value).includes(String(operand));
    case 'sw':
      return String(value).startsWith(String(operand));
    case 'ew':
      return String(value).endsWith(String(operand));
  }
}

/** All values of an attribute: none, one, or those of a multi-valued one. */
export function valuesOf(resource: Resource, { name }: Attribute): readonly unknown[] {
  const value = Object.hasOwn(resource, name) ? resource[name] : undefined;
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

/** The values at a path, through all values of a multi-valued attribute. */
export function valuesAt(resource: Resource, [first, ...rest]: readonly Attribute[]): readonly unknown[] {
  if (first === undefined) return [resource];
  return valuesOf(resource, first).flatMap((value) =>
    rest.length === 0 ? [value] : valuesAt(value as Resource, rest),
  );
}

/** What the filter demands of one of these attributes by `eq`, alone or beside others: an index can find it. */
export function demandedBy(
  filter: Filter,
  schema: ResourceSchema,
  indexed: ReadonlySet<string>,
): { readonly path: string; readonly value: string } | undefined {
  if (filter.op === 'and') return demandedBy(filter.left, schema, indexed) ?? demandedBy(filter.right, schema, indexed);
  const inner = filter.op === 'has' ? demandedInValue(filter) : filter;
  if (inner?.op !== 'eq' || typeof inner.value !== 'string') return undefined;
  const { attribute, sub } = placeOf(inner.path, schema) ?? {};
  const path = [attribute?.name, sub?.name ?? (attribute?.type === 'complex' ? 'value' : undefined)]
    .filter(Boolean)
    .join('.');
  return indexed.has(path) ? { path, value: inner.value } : undefined;
}

/** `emails[type eq "work" and value eq "…"]` demands `emails.value`. */
function demandedInValue({ path, filter }: Extract<Filter, { readonly op: 'has' }>): Filter | undefined {
  if (filter.op === 'and') {
    const left = demandedInValue({ op: 'has', path, filter: filter.left });
    return left ?? demandedInValue({ op: 'has', path, filter: filter.right });
  }
  const isValue = filter.op === 'eq' && filter.path.toLowerCase() === 'value';
  return isValue ? { ...filter, path: `${path}.value` } : undefined;
}
