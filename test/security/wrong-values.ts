import fc from 'fast-check';
import type { Schema } from '../kinds/suite/arbitrary.js';

/** A value that a schema does not want, as large as it was asked for. */
export interface Wrong {
  readonly value: unknown;
  /** Where it is wrong, and how. It names the case if a test fails. */
  readonly how: string;
  /**
   * Whether no reader of the schema could take it: its type is another one. Others are too long, unknown or null, which
   * some members accept.
   */
  readonly isOfOtherType: boolean;
}

/** The size of one element of a list or map that is wrong in each element. */
const SMALL = 60;
/** The levels of wrong lists in lists. A schema may contain itself. */
const LEVELS = 5;

const wrong = (how: string, value: unknown, isOfOtherType = true): Wrong => ({ how, value, isOfOtherType });

/** The most values of a document in each form of a request (docs/security.md). */
const MOST_VALUES = 24_000;

/** As many elements as there is room for. */
const many = <T>(bytes: number, value: T, more = 1): readonly T[] => {
  const most = Math.min(bytes / (sizeOf(value) + more), MOST_VALUES / valuesIn(value));
  return Array.from({ length: Math.max(1, Math.floor(most)) }, () => value);
};

/** The same as members with different names. */
const members = (bytes: number, value: unknown): object =>
  Object.fromEntries(many(bytes, value, 15).map((one, i) => [`member${i}`, one]));

const valuesIn = (value: unknown): number =>
  typeof value === 'object' && value !== null ? Object.values(value).reduce((sum, one) => sum + valuesIn(one), 1) : 1;

const sizeOf = (value: unknown): number => JSON.stringify(value)?.length ?? 0;

const text = (bytes: number): string => 'wrong! '.repeat(Math.ceil(bytes / 7)).slice(0, bytes);

/** Values of each type, as large as `bytes`. */
const OF_TYPE: Readonly<Record<string, (bytes: number) => unknown>> = {
  'a text': text,
  'a number': () => 1e300,
  'a list of numbers': (bytes) => many(bytes, 1),
  'a list of nulls': (bytes) => many(bytes, null),
  'a list of lists': (bytes) => many(bytes, [[]]),
  'a list of objects': (bytes) => many(bytes, { unknown: [1] }),
  'an object': (bytes) => members(bytes, 1),
};

const TYPES_OF: Readonly<Record<string, string>> = { string: 'a text', number: 'a number', integer: 'a number' };

function isType(name: string, { type = '' }: Schema): boolean {
  if (type === 'array') return name.startsWith('a list');
  return type === 'object' ? name === 'an object' : name === TYPES_OF[type];
}

/** An arbitrary that is made when it is chosen, because a schema may have very many members below. */
type Choice = () => fc.Arbitrary<Wrong>;

const chosen = (choices: readonly Choice[]): fc.Arbitrary<Wrong> => fc.constantFrom(...choices).chain((make) => make());

/**
 * The wrong values of a schema, by each of its keywords: of another type, too long, in no enum, unknown members, nulls,
 * and wrong in every element.
 */
export function wrongValues(schema: Schema, bytes: number, levels = LEVELS): fc.Arbitrary<Wrong> {
  const choices = schema.anyOf ?? schema.oneOf;
  const isOther = (name: string): boolean =>
    schema.type !== undefined && choices === undefined && !isType(name, schema);
  const here: readonly Choice[] = [
    ...Object.entries(OF_TYPE).map(
      ([name, make]): Choice =>
        () =>
          fc.constant(wrong(name, make(bytes), isOther(name))),
    ),
    () => fc.constant(wrong('null', null, false)),
    () => fc.constant(wrong('nulls', nullsOf(schema), false)),
  ];
  const inside = levels === 0 ? [] : (choices ?? [schema]).flatMap((one) => insideOf(one, bytes, levels - 1));
  if (inside.length === 0) return chosen(here);
  return fc.oneof({ weight: 1, arbitrary: chosen(here) }, { weight: 3, arbitrary: chosen(inside) });
}

const nullsOf = ({ properties = {} }: Schema): object =>
  Object.fromEntries(Object.keys(properties).map((name) => [name, null]));

/** What is wrong below a list, a map or an object. */
function insideOf(schema: Schema, bytes: number, levels: number): readonly Choice[] {
  const { type, items = {}, additionalProperties: values, properties = {} } = schema;
  const each = (one: Schema, fill: (value: unknown) => unknown): Choice => {
    return () =>
      wrongValues(one, SMALL, levels).map((found) => ({
        ...found,
        how: `each ${found.how}`,
        value: fill(found.value),
      }));
  };
  if (type === 'array') return [each(items, (value) => many(bytes, value))];
  if (type !== 'object') return [];
  return [
    ...Object.entries(properties).map(([name, member]): Choice => {
      const whole = (value: unknown) => ({ ...(sampleOf(schema) as object), [name]: value });
      return () =>
        wrongValues(member, bytes, levels).map((found) => ({
          ...found,
          how: `.${name} ${found.how}`,
          value: whole(found.value),
        }));
    }),
    ...(typeof values === 'object' ? [each(values, (value) => members(bytes, value))] : []),
  ];
}

/** A value that the schema roughly accepts, so that other members are not refused first. */
export function sampleOf(schema: Schema): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  const [choice] = schema.anyOf ?? schema.oneOf ?? [];
  if (choice !== undefined) return sampleOf(choice);
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        (schema.required ?? []).map((name) => [name, sampleOf(schema.properties?.[name] ?? {})]),
      );
    case 'array':
      return Array.from({ length: schema.minItems ?? 0 }, () => sampleOf(schema.items ?? {}));
    case 'string':
      return 'a'.repeat(Math.max(1, schema.minLength ?? 1));
    case 'integer':
    case 'number':
      return Math.max(1, schema.minimum ?? 1);
    case 'boolean':
      return false;
    default:
      return null;
  }
}
