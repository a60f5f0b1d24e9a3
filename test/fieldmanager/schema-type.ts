import { DEDUCED, type FieldType, type MapType, SCALAR } from '../../pkg/kube/fieldmanager/type.js';

/** A type in the schema language of structured-merge-diff, with the members that `schemas.ts` uses. */
interface Written {
  readonly scalar?: string;
  readonly namedType?: string;
  readonly map?: WrittenMap;
  readonly list?: {
    readonly elementType: Written;
    readonly elementRelationship: string;
    readonly keys?: readonly string[];
  };
}

interface WrittenMap {
  readonly fields?: readonly { readonly name: string; readonly type: Written; readonly default?: unknown }[];
  readonly elementType?: Written;
  readonly elementRelationship?: string;
}

/** The type of the objects of a schema. */
export function typeOfSchema(schema: object): FieldType {
  const { types } = schema as { readonly types: readonly Written[] };
  return typeOf(types[0] ?? {});
}

function typeOf({ scalar, namedType, map, list }: Written): FieldType {
  if (namedType !== undefined) return DEDUCED;
  if (map !== undefined) return { map: mapOf(map) };
  if (list === undefined) return scalar === undefined ? {} : SCALAR;
  const { elementType, elementRelationship, keys = [] } = list;
  return { list: { isAtomic: elementRelationship === 'atomic', keys, element: typeOf(elementType) } };
}

function mapOf({ fields = [], elementType, elementRelationship }: WrittenMap): MapType {
  const isOurs = (name: string): boolean => name !== 'uid' && name !== 'managedFields';
  const members = fields
    .filter(({ name }) => isOurs(name))
    .map(({ name, type, ...rest }) => [name, { ...rest, type: typeOf(type) }] as const);
  return {
    isAtomic: elementRelationship === 'atomic',
    fields: new Map(members),
    ...(elementType !== undefined && { element: typeOf(elementType) }),
  };
}
