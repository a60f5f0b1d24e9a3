import { required } from '../../../../pkg/kube/structural/cause.js';
import type { JsonSchema } from '../../../../pkg/kube/structural/json-schema.js';
import { itemSchema, propertyOf } from '../../../../pkg/kube/structural/schema-parts.js';
import type { Steps } from '../../../../pkg/system/yielding/steps.js';
import { type Causes, STEP } from './steps.js';

interface Pair {
  /** A schema under `allOf`, `anyOf`, `oneOf` or `not`. */
  readonly nested: JsonSchema;
  readonly nestedPath: string;
  /** The schema that gives the same values their form. */
  readonly form: JsonSchema | undefined;
  readonly formPath: string;
}

/** Checks that the root itself has every part that its `allOf`, `anyOf`, `oneOf` and `not` mention. */
export function* checkComplete(root: JsonSchema, path: string, causes: Causes): Steps<void> {
  const waiting = clausesOf(root, path, root, path);
  let visited = 0;
  for (let pair = waiting.pop(); pair !== undefined; pair = waiting.pop()) {
    if (++visited % STEP === 0) yield;
    const { nested, nestedPath, form, formPath } = pair;
    if (form === undefined) causes.add(required(formPath, `because it is defined in ${nestedPath}`));
    else
      waiting.push(...clausesOf(nested, nestedPath, form, formPath), ...innerPairs(nested, nestedPath, form, formPath));
  }
}

function clausesOf(schema: JsonSchema, path: string, form: JsonSchema, formPath: string): Pair[] {
  const pairs: Pair[] = [];
  for (const relation of ['allOf', 'anyOf', 'oneOf'] as const) {
    schema[relation]?.forEach((nested, i) => {
      pairs.push({ nested, nestedPath: `${path}.${relation}[${i}]`, form, formPath });
    });
  }
  if (schema.not != null) pairs.push({ nested: schema.not, nestedPath: `${path}.not`, form, formPath });
  return pairs;
}

function innerPairs(nested: JsonSchema, nestedPath: string, form: JsonSchema, formPath: string): Pair[] {
  const pairs: Pair[] = [];
  const item = itemSchema(nested);
  if (item !== undefined) {
    const nestedItem = { nested: item, nestedPath: `${nestedPath}.items` };
    pairs.push({ ...nestedItem, form: itemSchema(form), formPath: `${formPath}.items` });
  }
  for (const [name, property] of Object.entries(nested.properties ?? {})) {
    const part = `.properties[${name}]`;
    const place = { nestedPath: `${nestedPath}${part}`, formPath: `${formPath}${part}` };
    pairs.push({ nested: property, form: propertyOf(form, name), ...place });
  }
  return pairs;
}
