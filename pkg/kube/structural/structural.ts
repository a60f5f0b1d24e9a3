import { checksOf } from './checks.js';
import type { JsonSchema } from './json-schema.js';
import type { Node, Structural } from './node.js';
import { isSchema } from './schema-parts.js';

interface Lazy extends Structural {
  node: Node | undefined;
}

/** Call it once for each version of a definition. The schema must have passed the validation of definitions. */
export function compile(schema: JsonSchema): Structural {
  const lazy: Lazy = { schema, node: undefined };
  return lazy;
}

/** The part that `structural` is: its children are Structurals again. */
export function nodeOf(structural: Structural): Node {
  const lazy = structural as Lazy;
  lazy.node ??= isPlain(lazy.schema) ? plainNode(lazy.schema) : compiled(lazy.schema);
  return lazy.node;
}

/** The schema of a member: that of the property, or that of all others. Undefined if the member has none. */
export function memberOf({ properties, additionalProperties }: Node, name: string): Structural | undefined {
  return properties?.get(name) ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined);
}

/** Most parts of a schema have a type and a description and nothing else: those of one type share their node. */
const plain = new Map<string, Node>();

function isPlain(schema: JsonSchema): boolean {
  for (const name in schema) if (name !== 'type' && name !== 'description') return false;
  return true;
}

function plainNode({ type = '' }: JsonSchema): Node {
  const known = plain.get(type);
  if (known !== undefined) return known;
  const made = compiled({ type });
  if (TYPES.has(type)) plain.set(type, made);
  return made;
}

const TYPES: ReadonlySet<string> = new Set(['', 'object', 'array', 'string', 'integer', 'number', 'boolean']);
const NONE: readonly never[] = [];

function compiled(schema: JsonSchema): Node {
  const properties = propertiesOf(schema);
  return {
    properties,
    additionalProperties: additionalOf(schema),
    items: isSchema(schema.items) ? compile(schema.items) : undefined,
    type: schema.type ?? '',
    isNullable: schema.nullable === true,
    preservesUnknown: schema['x-kubernetes-preserve-unknown-fields'] === true,
    isEmbedded: schema['x-kubernetes-embedded-resource'] === true,
    isIntOrString: schema['x-kubernetes-int-or-string'] === true,
    listType: schema['x-kubernetes-list-type'] ?? '',
    listMapKeys: schema['x-kubernetes-list-map-keys'] ?? NONE,
    mapType: schema['x-kubernetes-map-type'] ?? '',
    rules: schema['x-kubernetes-validations'] ?? NONE,
    default: schema.default ?? undefined,
    defaults: defaultsOf(properties),
    checks: checksOf(schema, compile),
  };
}

function propertiesOf({ properties }: JsonSchema): ReadonlyMap<string, Structural> | undefined {
  const entries = Object.entries(properties ?? {});
  return entries.length === 0 ? undefined : new Map(entries.map(([name, schema]) => [name, compile(schema)]));
}

function additionalOf({ additionalProperties: more }: JsonSchema): Structural | boolean | undefined {
  return typeof more === 'object' && more !== null ? compile(more) : (more ?? undefined);
}

function defaultsOf(properties: Node['properties']): Node['defaults'] {
  const withDefaults = [...(properties ?? NONE)].filter(([, { schema }]) => (schema.default ?? null) !== null);
  return withDefaults.length === 0 ? NONE : withDefaults;
}
