import type { JsonSchema } from '../../pkg/kube/structural/json-schema.js';
import { Random } from '../fieldmanager/schemas.js';
import { rootSchema } from './schemas.js';
import { scalar, valueFor } from './values.js';

export interface Case {
  readonly schema: JsonSchema;
  readonly object: Readonly<Record<string, unknown>>;
  readonly old: Readonly<Record<string, unknown>>;
}

type Members = Record<string, unknown>;

/** A random structural schema, an object that mostly fits it, and the object that it replaces. */
export function randomCase(seed: number): Case {
  const random = new Random(seed);
  const schema = rootSchema(random);
  const object = objectOf(schema, random) as Members;
  const old = random.chance(70) ? changedObject(object, random) : (objectOf(schema, random) as Members);
  return { schema, object, old };
}

function objectOf(schema: JsonSchema, random: Random): unknown {
  const object = valueFor({ ...schema, default: undefined, nullable: false }, random, 5) as Members;
  const meta: Members = random.chance(90)
    ? { apiVersion: 'test.example/v1', kind: 'Thing', metadata: { name: 'a' } }
    : {};
  return { ...meta, ...(typeof object === 'object' && !Array.isArray(object) ? object : {}) };
}

function changedObject(object: Members, random: Random): Members {
  const kept = Object.entries(object).filter(() => random.chance(97));
  return Object.fromEntries(kept.map(([name, member]) => [name, changed(member, random)]));
}

/** A copy with a few different parts. */
function changed(value: unknown, random: Random): unknown {
  if (random.chance(4)) return scalar(random);
  if (Array.isArray(value)) {
    const items = value.filter(() => random.chance(93)).map((item) => changed(item, random));
    return random.chance(20) ? items.reverse() : items;
  }
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(() => random.chance(95));
  return Object.fromEntries(kept.map(([name, member]) => [name, changed(member, random)]));
}
