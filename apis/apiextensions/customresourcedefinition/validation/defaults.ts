import { canonicalJson } from '../../../../pkg/json/canonical.js';
import type { StatusCause } from '../../../../pkg/status/status.js';
import type { JsonSchema } from '../../../../pkg/structural/json-schema.js';
import { hasDefault, itemSchema } from '../../../../pkg/structural/schema-parts.js';
import { asJson, invalid } from './field-error.js';
import { collectCauses, STEP, type Steps } from './steps.js';

/** Checks values by schemas. None of these functions changes its arguments. */
export interface Values {
  /** The value without the members that the schema does not have. */
  readonly prune: (value: unknown, schema: JsonSchema) => unknown;
  /** What the schema, its rules and its embedded objects refuse in a value. `path` is that of the value. */
  readonly validate: (value: unknown, schema: JsonSchema, path: string) => readonly StatusCause[];
}

interface Node {
  readonly schema: JsonSchema;
  readonly path: string;
}

/** Checks that each default is a value that its own schema accepts, and has no members that would be pruned. The schema is structural. */
export function* defaultCauses(
  root: JsonSchema,
  path: string,
  values: Values,
  requiresPruned: boolean,
): Steps<readonly StatusCause[]> {
  const causes = collectCauses();
  let visited = 0;
  for (const { schema, path: at } of formsIn(root, path)) {
    if (++visited % STEP === 0) yield;
    if (!hasDefault(schema)) continue;
    yield;
    if (requiresPruned && !isPruned(schema, values)) {
      causes.add(invalid(`${at}.default`, printable(schema.default), 'must not have unknown fields'));
    }
    causes.add(...values.validate(schema.default, schema, `${at}.default`));
  }
  return causes.list;
}

const printable = (value: unknown) => (typeof value === 'string' ? value : asJson(value));

/** Whether a default of the schema has members that would be pruned. */
export function* hasUnprunedDefaults(root: JsonSchema, values: Values): Steps<boolean> {
  let visited = 0;
  for (const { schema } of formsIn(root, '')) {
    if (++visited % STEP === 0) yield;
    if (hasDefault(schema) && !isPruned(schema, values)) return true;
  }
  return false;
}

function isPruned(schema: JsonSchema, values: Values): boolean {
  return canonicalJson(values.prune(schema.default, schema)) === canonicalJson(schema.default);
}

/** The schemas that give values their form, without those of maps, whose values get no defaults. */
function* formsIn(root: JsonSchema, path: string): Generator<Node, void, undefined> {
  const waiting: Node[] = [{ schema: root, path }];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    yield node;
    const inner: Node[] = [];
    const item = itemSchema(node.schema);
    if (item !== undefined) inner.push({ schema: item, path: `${node.path}.items` });
    for (const [name, schema] of Object.entries(node.schema.properties ?? {})) {
      inner.push({ schema, path: `${node.path}.properties[${name}]` });
    }
    waiting.push(...inner.reverse());
  }
}
