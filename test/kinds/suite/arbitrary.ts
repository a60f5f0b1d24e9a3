import fc from 'fast-check';
import { z } from 'zod';

/** The part of JSON Schema that the kinds use. */
export interface Schema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

export function jsonSchemaOf(schema: z.ZodType): Schema {
  const { $defs = {}, ...root } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return inlined(root, $defs as Readonly<Record<string, unknown>>) as Schema;
}

/** Resolves references to schemas with an id. The schema of a kind never refers to itself. */
function inlined(value: unknown, definitions: Readonly<Record<string, unknown>>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((element) => inlined(element, definitions));
  const reference = (value as { $ref?: string }).$ref?.split('/').at(-1);
  if (reference !== undefined) return inlined(definitions[reference], definitions);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, inlined(member, definitions)]));
}

/** Any string that JSON can contain, including lone surrogates and control characters. */
export function anyText(maxLength = 50): fc.Arbitrary<string> {
  const known =
    anyTexts.get(maxLength) ??
    fc.oneof(fc.string({ unit: 'binary', maxLength }), fc.string({ unit: 'grapheme', maxLength }), loneUnits);
  anyTexts.set(maxLength, known);
  return known;
}

/** By length. They are kept, because it takes milliseconds to make one. */
const anyTexts = new Map<number, fc.Arbitrary<string>>();

const loneUnits = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 20 })
  .map((units) => String.fromCharCode(...units));

/** Values that are likely to match the schema. Checks that JSON Schema cannot express may still refuse some of them. */
export function valuesOf(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return fc.oneof(...choices.map(valuesOf));
  switch (schema.type) {
    case 'object':
      return objects(schema);
    case 'array':
      return fc.array(valuesOf(schema.items ?? {}), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 5, (schema.minItems ?? 0) + 5),
      });
    case 'string':
      return texts(schema);
    case 'integer':
      return fc.integer({ min: clamp(schema.minimum, -(2 ** 31)), max: clamp(schema.maximum, 2 ** 31 - 1) });
    case 'number':
      return fc.double({ noNaN: true, noDefaultInfinity: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      return fc.jsonValue({ maxDepth: 3 });
  }
}

function texts({ minLength = 0, maxLength = 50 }: Schema): fc.Arbitrary<string> {
  const longest = Math.min(maxLength, minLength + 50);
  return anyText(longest).map((text) => text.padEnd(minLength, 'x').slice(0, longest));
}

function objects({ properties = {}, required = [], additionalProperties }: Schema): fc.Arbitrary<unknown> {
  const members = Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, valuesOf(schema)]));
  const known = fc.record(members, { requiredKeys: [...required] as never });
  if (additionalProperties === undefined || typeof additionalProperties === 'boolean') return known;
  const key = fc.string({ maxLength: 20 }).filter((text) => text !== '__proto__');
  const others = fc.dictionary(key, valuesOf(additionalProperties), { maxKeys: 5 });
  return fc.tuple(known, others).map(([a, b]) => ({ ...b, ...(a as object) }));
}

function clamp(value: number | undefined, otherwise: number): number {
  return value === undefined ? otherwise : Math.max(-(2 ** 31), Math.min(2 ** 31 - 1, value));
}
