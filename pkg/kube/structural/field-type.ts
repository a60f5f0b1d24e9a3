import { isObject } from '../../system/object/is-object.js';
import { lazy } from '../../system/object/lazy.js';
import { DEDUCED, type FieldType, type ListType, type MapType, type MemberType, SCALAR } from '../fieldmanager/type.js';
import { META_SCHEMAS, TYPE_META } from '../openapi/meta.js';
import { describedRef, META, type Schema, type Schemas, V3_REFS } from '../openapi/schema.js';
import type { JsonSchema } from './json-schema.js';

const PRESERVES = 'x-kubernetes-preserve-unknown-fields';
const EMBEDDED = 'x-kubernetes-embedded-resource';

/**
 * How the fields of the objects of a custom kind are managed. The rules are those by which Kubernetes reads its OpenAPI
 * documents (kube-openapi, schemaconv). The parts are made when they are needed, because the objects of most kinds are
 * never applied.
 */
export function fieldTypeOf(schema: JsonSchema): FieldType {
  return typeOf({ ...schema, [EMBEDDED]: true }, false);
}

/** `preserves`: the schema is within one that preserves unknown fields. */
function typeOf(schema: Schema, preserves: boolean): FieldType {
  const target = targetOf(schema);
  if (target !== undefined) return typeOf(target, false);
  const isOpen = preserves || schema[PRESERVES] === true;
  const list = (): ListType => listOf(schema, isOpen);
  const map = (): MapType => mapOf(schema, isOpen);
  switch (schema['type'] ?? '') {
    case 'object':
      return lazily({ map });
    case 'array':
      return lazily({ list });
    case '':
      return lazily({ isScalar: true, list, map });
    default:
      return SCALAR;
  }
}

/**
 * The schema of Kubernetes that a schema of ours refers to, such as ObjectMeta. Schemas of clients have no references.
 */
function targetOf({ $ref, allOf }: Schema): Schema | undefined {
  const [only] = (allOf ?? []) as readonly Schema[];
  const name = $ref ?? only?.['$ref'];
  if (typeof name !== 'string' || !name.startsWith(V3_REFS)) return undefined;
  return META_SCHEMAS[name.slice(V3_REFS.length)];
}

function listOf(schema: Schema, isOpen: boolean): ListType {
  const relation = schema['x-kubernetes-list-type'] ?? 'atomic';
  const keys = (schema['x-kubernetes-list-map-keys'] ?? []) as readonly string[];
  const { items } = schema;
  return {
    isAtomic: relation === 'atomic',
    keys: relation === 'map' ? keys : [],
    element: isObject(items) ? typeOf(items, isOpen) : DEDUCED,
  };
}

const OBJECT_MEMBERS: Schemas = { ...TYPE_META, metadata: describedRef(`${META}.ObjectMeta`, '') };

function mapOf(schema: Schema, isOpen: boolean): MapType {
  const own = (schema['properties'] ?? {}) as Schemas;
  const members = Object.entries(schema[EMBEDDED] === true ? { ...own, ...OBJECT_MEMBERS } : own);
  const element = elementOf(schema, isOpen || members.length === 0);
  return {
    isAtomic: schema['x-kubernetes-map-type'] === 'atomic',
    fields: new Map(members.map(([name, member]) => [name, memberOf(member, isOpen)])),
    ...(element !== undefined && { element }),
  };
}

function memberOf(schema: Schema, isOpen: boolean): MemberType {
  const { default: value } = schema;
  const type = typeOf(schema, isOpen);
  return value === undefined || value === null ? { type } : { type, default: value };
}

/** The type of members without a schema of their own. */
function elementOf({ additionalProperties }: Schema, isOpen: boolean): FieldType | undefined {
  if (isObject(additionalProperties)) return typeOf(additionalProperties, isOpen);
  return additionalProperties === true || (isOpen && additionalProperties !== false) ? DEDUCED : undefined;
}

interface Making {
  readonly isScalar?: boolean;
  readonly list?: () => ListType;
  readonly map?: () => MapType;
}

function lazily({ isScalar = false, ...making }: Making): FieldType {
  const list = making.list && lazy(making.list);
  const map = making.map && lazy(making.map);
  return {
    isScalar,
    get list() {
      return list?.();
    },
    get map() {
      return map?.();
    },
  };
}
