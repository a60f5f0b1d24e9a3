import type { JsonSchema } from '../../../../pkg/kube/structural/json-schema.js';
import type { Subschema } from '../../../../pkg/kube/structural/schema-parts.js';

/** The place of a schema in the schema of a version, and what follows from it. */
export interface SchemaPosition {
  readonly path: string;
  readonly isRoot: boolean;
  /** Why it may have no default. `undefined` if it may have one. */
  readonly forbidsDefault: string | undefined;
  /** In the kind, the apiVersion or the metadata of an object. */
  readonly isInsideMeta: boolean;
  /**
   * The path of the first list above whose items cannot be found again in the old object, so that no rule below may use
   * oldSelf.
   */
  readonly uncorrelatable: string | undefined;
  /** Absent where rules are not compiled, such as under `not`. */
  readonly rules: RuleScope | undefined;
}

export interface RuleScope {
  /** How often the value can be in an object. `undefined` if there is no limit. */
  readonly cardinality: number | undefined;
}

/** Go's largest number without a sign. */
const MOST = 2 ** 64 - 1;

const META = ['metadata', 'kind', 'apiVersion'];

export function rootPlace(path: string, compilesRules: boolean): SchemaPosition {
  return {
    path,
    isRoot: true,
    forbidsDefault: undefined,
    isInsideMeta: false,
    uncorrelatable: undefined,
    rules: compilesRules ? { cardinality: 1 } : undefined,
  };
}

/** The place of a part of the schema at `place`. */
export function placeOf(part: Subschema, parent: JsonSchema, place: SchemaPosition): SchemaPosition {
  const inner = { ...place, path: part.path, isRoot: false };
  switch (part.relation) {
    case 'additionalProperties': {
      const reason = 'inside additionalProperties applying to object metadata';
      return { ...inner, rules: below(parent, place), ...(place.isInsideMeta ? { forbidsDefault: reason } : {}) };
    }
    case 'properties':
      return propertyPlace(part.name ?? '', parent, place, { ...inner, rules: below(parent, place) });
    case 'items':
      return {
        ...inner,
        rules: below(parent, place),
        uncorrelatable: parent['x-kubernetes-list-type'] === 'map' ? place.uncorrelatable : forbidding(place),
      };
    default:
      return { ...inner, rules: undefined };
  }
}

function propertyPlace(name: string, parent: JsonSchema, place: SchemaPosition, inner: SchemaPosition): SchemaPosition {
  const type = parent['x-kubernetes-map-type'] ?? 'granular';
  const isCorrelatable = type === 'granular' || type === 'atomic';
  const isMeta = (place.isRoot || parent['x-kubernetes-embedded-resource'] === true) && META.includes(name);
  return {
    ...inner,
    uncorrelatable: isCorrelatable ? place.uncorrelatable : forbidding(place),
    isInsideMeta: place.isInsideMeta || isMeta,
    forbidsDefault: isMeta && place.isRoot ? `in top-level ${name}` : place.forbidsDefault,
  };
}

const forbidding = (place: SchemaPosition): string => place.uncorrelatable ?? place.path;

function below(parent: JsonSchema, { rules }: SchemaPosition): RuleScope | undefined {
  if (rules === undefined) return undefined;
  const factor = factorOf(parent);
  if (rules.cardinality === undefined || factor === undefined) return { cardinality: undefined };
  return { cardinality: Math.min(rules.cardinality * factor, MOST) };
}

/** How many values of its parts a value can have. `undefined` if there is no limit. */
function factorOf(schema: JsonSchema): number | undefined {
  const limit = (max: number | bigint | null | undefined) => (max == null ? undefined : Math.max(0, Number(max)));
  if (schema.type === 'array') return limit(schema.maxItems);
  return schema.type === 'object' && schema.additionalProperties != null ? limit(schema.maxProperties) : 1;
}
