import type { z } from 'zod';

type Schema = z.core.$ZodType;

/** A part of a schema, as far as this file reads it. The classes of zod have such a definition each. */
interface SchemaDefinition {
  readonly type: string;
  readonly innerType?: Schema;
  readonly in?: Schema;
  readonly out?: Schema;
  readonly getter?: () => Schema;
  readonly shape?: Readonly<Record<string, Schema>>;
  readonly catchall?: Schema;
  readonly element?: Schema;
  readonly valueType?: Schema;
}

/**
 * What a null means at a path of a value of the schema, as Go's decoders have it: in a map or a list, it is the zero
 * value of the type. `undefined`: it is a member that is not set, or there is no such value.
 */
export function meaningOfNull(schema: Schema, path: readonly PropertyKey[]): unknown {
  let holder: SchemaDefinition | undefined = definitionOf(schema);
  for (const step of path.slice(0, -1)) holder = holder && partOf(holder, step);
  const last = path.at(-1);
  if (holder === undefined || last === undefined || holder.type === 'object') return undefined;
  return zeroOf(partOf(holder, last));
}

function partOf(
  { shape, catchall, element, valueType }: SchemaDefinition,
  step: PropertyKey,
): SchemaDefinition | undefined {
  const named = shape !== undefined && typeof step === 'string' && Object.hasOwn(shape, step) ? shape[step] : catchall;
  const part = element ?? valueType ?? named;
  return part && definitionOf(part);
}

const WRAPPERS: ReadonlySet<string> = new Set([
  'optional',
  'nullable',
  'default',
  'prefault',
  'nonoptional',
  'readonly',
]);

/** The definition of the value itself, below what makes it optional or looks at it first. */
function definitionOf(schema: Schema): SchemaDefinition {
  const definition = schema._zod.def as unknown as SchemaDefinition;
  const inner = innerOf(definition);
  return inner === undefined ? definition : definitionOf(inner);
}

function innerOf(definition: SchemaDefinition): Schema | undefined {
  if (WRAPPERS.has(definition.type)) return definition.innerType;
  if (definition.type === 'lazy') return definition.getter?.();
  if (definition.type !== 'pipe' || definition.in === undefined) return undefined;
  return definition.in._zod.def.type === 'transform' ? definition.out : definition.in;
}

function zeroOf(definition: SchemaDefinition | undefined): unknown {
  switch (definition?.type) {
    case 'string':
    case 'enum':
      return '';
    case 'number':
    case 'int':
      return 0;
    case 'boolean':
      return false;
    case 'array':
      return [];
    case 'object':
    case 'record':
      return {};
    default:
      return undefined;
  }
}
