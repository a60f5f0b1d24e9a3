import type { JsonSchema } from '../../../pkg/kube/structural/json-schema.js';
import type { Random } from '../../fieldmanager/schemas.js';
import { FORMATS } from '../../structural/formats.js';
import { scalar } from '../../structural/values.js';

const TEXTS = ['a', 'ab', 'bad', 'abc-d', 'x1', 'Zürich', 'a/b', '10', 'ab.cd', 'A', 'x-y-z', 'my-name', '1Gi', '10%'];
const NUMBERS = [0, 1, 2, 3, 7, 50, 100, 101];
const DEEPEST = 8;

/** How often a value is wrong, and how often an optional value is present, in percent. */
export interface Mix {
  readonly wrong: number;
  readonly present: number;
}

/** A value that fits the keywords of a schema, except for the parts that are wrong on purpose. */
export function fitting(random: Random, schema: JsonSchema, mix: Mix, depth = 0): unknown {
  if (random.chance(mix.wrong)) return random.chance(70) ? scalar(random) : random.of<unknown>([[], {}, [1], { b: 2 }]);
  if (schema.nullable === true && random.chance(20)) return null;
  if (schema.enum != null && schema.enum.length > 0) return random.of(schema.enum);
  if (schema['x-kubernetes-int-or-string'] === true) return random.of<unknown>([8080, 'http', '50%', 1]);
  switch (schema.type) {
    case 'string':
      return textFor(random, schema);
    case 'integer':
      return numberFor(random, schema, NUMBERS);
    case 'number':
      return numberFor(random, schema, [...NUMBERS, 0.5, 1.25]);
    case 'boolean':
      return random.chance(50);
    case 'array':
      return listFor(random, schema, mix, depth);
    case 'object':
      return membersFor(random, schema, mix, depth);
    default:
      return random.of<unknown>(['open', 5, { any: ['x'] }]);
  }
}

function textFor(random: Random, { format, pattern, minLength, maxLength }: JsonSchema): string {
  if (typeof format === 'string' && FORMATS[format] !== undefined) return random.of(FORMATS[format].slice(0, 2));
  const fits = TEXTS.filter(
    (one) => one.length >= (minLength ?? 0) && one.length <= (maxLength ?? 100) && matches(one, pattern ?? ''),
  );
  return random.of(fits.length > 0 ? fits : TEXTS);
}

function matches(value: string, pattern: string): boolean {
  try {
    return new RegExp(pattern).test(value);
  } catch {
    return true;
  }
}

function numberFor(random: Random, { minimum, maximum }: JsonSchema, from: readonly number[]): number {
  const fits = from.filter((one) => one >= (minimum ?? -1) && one <= (maximum ?? 1e9));
  return random.of(fits.length > 0 ? fits : [Number(minimum ?? maximum ?? 0)]);
}

function listFor(random: Random, schema: JsonSchema, mix: Mix, depth: number): unknown {
  const items = (Array.isArray(schema.items) ? {} : (schema.items ?? {})) as JsonSchema;
  const least = Number(schema.minItems ?? 0);
  const length = Math.min(least + random.below(depth > DEEPEST ? 1 : 3), Number(schema.maxItems ?? 3));
  return Array.from({ length }, () => fitting(random, items, mix, depth + 1));
}

function membersFor(random: Random, schema: JsonSchema, mix: Mix, depth: number): unknown {
  const members: Record<string, unknown> = {};
  if (schema['x-kubernetes-embedded-resource'] === true) Object.assign(members, embedded(random, mix));
  const required = new Set(schema.required ?? []);
  const present = depth > DEEPEST ? 0 : mix.present;
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const isThere = required.has(name) ? !random.chance(mix.wrong) : random.chance(present);
    if (isThere) members[name] = fitting(random, property, mix, depth + 1);
  }
  const { additionalProperties: more } = schema;
  if (typeof more === 'object' && more !== null)
    for (const name of ['k', 'l.m', 'bad'])
      if (random.chance(35)) members[name] = fitting(random, more, mix, depth + 1);
  if (random.chance(mix.wrong) || schema['x-kubernetes-preserve-unknown-fields'] === true)
    members[random.of(['unknown', 'extraField'])] = scalar(random);
  return members;
}

function embedded(random: Random, { wrong }: Mix): object {
  const labels = random.chance(30) ? { labels: { a: wrong > 0 ? random.of(['b', '-']) : 'b' } } : {};
  return {
    apiVersion: random.of(['v1', 'apps/v1']),
    kind: 'Pod',
    metadata: {
      ...(random.chance(60) && { name: random.of(['a', 'b']) }),
      ...labels,
      ...(random.chance(wrong) && { odd: 1 }),
    },
  };
}
