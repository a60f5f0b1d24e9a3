import { formatTest } from '../../../pkg/kube/structural/formats.js';
import type { JsonSchema } from '../../../pkg/kube/structural/json-schema.js';
import type { CustomResourceDefinitionSpec } from './schema.js';

/**
 * What is allowed in a definition, but has no effect, in Kubernetes' words. Warnings about the old definition are not
 * repeated.
 */
export function definitionWarnings(
  spec: CustomResourceDefinitionSpec,
  old: CustomResourceDefinitionSpec | undefined,
): readonly string[] {
  const [now, before] = [warningsIn(spec), new Set(old === undefined ? [] : warningsIn(old))];
  return now.filter((warning) => !before.has(warning));
}

function warningsIn({ versions }: CustomResourceDefinitionSpec): readonly string[] {
  const schemas = (versions ?? []).flatMap(({ schema }) => [...parts(schema?.openAPIV3Schema ?? {})]);
  const formats = schemas.flatMap((schema) =>
    schema.format && !isKnown(schema, schema.format) ? [`unrecognized format ${JSON.stringify(schema.format)}`] : [],
  );
  return [...new Set(formats), ...[...new Set(schemas.flatMap(ofSet))].sort()];
}

const OF_NUMBERS: Readonly<Record<string, readonly string[]>> = {
  integer: ['int32', 'int64'],
  number: ['float', 'double'],
};

function isKnown({ type = '' }: JsonSchema, format: string): boolean {
  return type === '' || type === 'string'
    ? formatTest(format) !== undefined
    : (OF_NUMBERS[type]?.includes(format) ?? false);
}

function ofSet({ items, 'x-kubernetes-list-type': list }: JsonSchema): readonly string[] {
  const type = Array.isArray(items) ? '' : ((items as JsonSchema | null | undefined)?.type ?? '');
  if (list !== 'set' || (type !== 'object' && type !== 'array')) return [];
  const what = `x-kubernetes-list-type: set for items of type ${JSON.stringify(type)}`;
  return [`${what} is not supported by server-side apply or CEL validation rules`];
}

/** A schema with all schemas inside it. */
function* parts(schema: JsonSchema): Generator<JsonSchema, void, undefined> {
  yield schema;
  const { items, allOf, oneOf, anyOf, not, properties, additionalProperties, additionalItems } = schema;
  const lists = [items, allOf, oneOf, anyOf, not].flatMap((item) => item ?? []) as readonly JsonSchema[];
  const more = [additionalProperties, additionalItems].filter((item) => typeof item === 'object' && item !== null);
  const named = [properties, schema.patternProperties, schema.definitions].flatMap((map) => Object.values(map ?? {}));
  for (const item of [...lists, ...named, ...(more as readonly JsonSchema[])]) yield* parts(item);
}
