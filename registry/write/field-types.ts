import type { z } from 'zod';
import { DEDUCED, type FieldType, type ListType, type MapType, SCALAR } from '../../pkg/kube/fieldmanager/type.js';
import { META_SCHEMAS } from '../../pkg/kube/openapi/meta.js';
import { META, type Schema, type Schemas } from '../../pkg/kube/openapi/schema.js';
import { convertZod } from '../../pkg/kube/openapi/zod.js';
import type { Kind } from '../kinds/kind.js';

const types = new WeakMap<Kind, FieldType>();

/** How the fields of the objects of a kind are managed. It follows from the same schemas as the OpenAPI documents. */
export function fieldTypeOf(kind: Kind): FieldType {
  const known = types.get(kind) ?? kind.schema?.fieldType ?? objectType(kind);
  types.set(kind, known);
  return known;
}

function objectType(kind: Kind): FieldType {
  const members: [string, FieldType][] = [
    ['apiVersion', SCALAR],
    ['kind', SCALAR],
    ['metadata', typeNamed(`${META}.ObjectMeta`, META_SCHEMAS)],
  ];
  const others = kind.members === undefined ? undefined : schemaType(kind.members).map?.fields;
  if (kind.members === undefined) members.push(['spec', partType(kind, 'spec')]);
  for (const [name, { type }] of others ?? []) members.push([name, type]);
  if (kind.status !== undefined) members.push(['status', partType(kind, 'status')]);
  return { map: { isAtomic: false, fields: new Map(members.map(([name, type]) => [name, { type }])) } };
}

function partType(kind: Kind, part: 'spec' | 'status'): FieldType {
  const schema = kind[part];
  return schema === undefined ? DEDUCED : schemaType(schema);
}

function schemaType(schema: z.ZodType): FieldType {
  const { name, schemas } = convertZod(schema, '', 'object');
  return typeNamed(name, schemas);
}

function typeNamed(name: string, schemas: Schemas): FieldType {
  return typeOf({ $ref: name }, schemas);
}

/** The parts are made when they are needed, because schemas may be recursive. */
function typeOf(schema: Schema, schemas: Schemas): FieldType {
  const resolved = resolve(schema, schemas);
  const { type } = resolved;
  if (type === 'array') return listType(resolved, schemas);
  if (type === 'object') return mapType(resolved, schemas);
  return typeof type === 'string' ? SCALAR : DEDUCED;
}

/** The schema that a reference names. An optional null is no type of its own. */
function resolve(schema: Schema, schemas: Schemas): Schema {
  const { $ref, allOf, anyOf, ...rest } = schema;
  if (typeof $ref === 'string') return resolve(schemas[$ref.slice($ref.lastIndexOf('/') + 1)] ?? {}, schemas);
  const parts = [...asSchemas(allOf), ...asSchemas(anyOf)].filter((part) => part['type'] !== 'null');
  const [only, ...more] = parts;
  return only === undefined || more.length > 0 ? schema : { ...resolve(only, schemas), ...rest };
}

function asSchemas(value: unknown): readonly Schema[] {
  return Array.isArray(value) ? value : [];
}

function listType(schema: Schema, schemas: Schemas): FieldType {
  const relation = schema['x-kubernetes-list-type'] ?? 'atomic';
  const keys = (schema['x-kubernetes-list-map-keys'] ?? []) as readonly string[];
  return lazily((): { list: ListType } => ({
    list: {
      isAtomic: relation === 'atomic',
      keys: relation === 'map' ? keys : [],
      element: typeOf((schema['items'] ?? {}) as Schema, schemas),
    },
  }));
}

function mapType(schema: Schema, schemas: Schemas): FieldType {
  return lazily((): { map: MapType } => {
    const properties = Object.entries((schema['properties'] ?? {}) as Schemas);
    const element = elementOf(schema, schemas);
    return {
      map: {
        isAtomic: schema['x-kubernetes-map-type'] === 'atomic',
        fields: new Map(properties.map(([name, part]) => [name, memberOf(part, schemas)])),
        ...(element !== undefined && { element }),
      },
    };
  });
}

function memberOf(part: Schema, schemas: Schemas): { readonly type: FieldType; readonly default?: unknown } {
  const type = typeOf(part, schemas);
  return part['default'] === undefined ? { type } : { type, default: part['default'] };
}

/** The type of members without a schema of their own. Strict objects have none. */
function elementOf(schema: Schema, schemas: Schemas): FieldType | undefined {
  if (schema['x-kubernetes-preserve-unknown-fields'] === true) return DEDUCED;
  const { additionalProperties } = schema;
  if (typeof additionalProperties === 'object' && additionalProperties !== null) {
    return typeOf(additionalProperties as Schema, schemas);
  }
  return additionalProperties === true ? DEDUCED : undefined;
}

function lazily(make: () => Pick<FieldType, 'list' | 'map'>): FieldType {
  let made: Pick<FieldType, 'list' | 'map'> | undefined;
  const get = (): Pick<FieldType, 'list' | 'map'> => {
    made ??= make();
    return made;
  };
  return {
    get list() {
      return get().list;
    },
    get map() {
      return get().map;
    },
  };
}
