/** How the items of a list are managed: all together, or each by its value or by its keys. */
export interface ListType {
  readonly isAtomic: boolean;
  /** The members that identify an item. A list without keys that is not atomic is a set. */
  readonly keys: readonly string[];
  readonly element: FieldType;
}

/** How the members of an object are managed: all together, or each by itself. */
export interface MapType {
  readonly isAtomic: boolean;
  readonly fields: ReadonlyMap<string, MemberType>;
  /** The type of members that `fields` does not have. Absent: there are no others. */
  readonly element?: FieldType;
}

export interface MemberType {
  readonly type: FieldType;
  /** The value of a key of a list that an item leaves out. */
  readonly default?: unknown;
}

/**
 * The forms that a value may have, with what a schema says about each of them. The parts may be getters, because types
 * may be recursive.
 */
export interface FieldType {
  readonly isScalar?: boolean;
  readonly list?: ListType | undefined;
  readonly map?: MapType | undefined;
}

export const SCALAR: FieldType = { isScalar: true };

const DEDUCED_LIST: ListType = {
  isAtomic: true,
  keys: [],
  get element() {
    return DEDUCED;
  },
};

/** The type of values without a schema: each member of an object by itself, lists as a whole. */
export const DEDUCED: FieldType = {
  isScalar: true,
  list: DEDUCED_LIST,
  get map() {
    return DEDUCED_MAP;
  },
};

const DEDUCED_MAP: MapType = { isAtomic: false, fields: new Map(), element: DEDUCED };

type Form = 'map' | 'scalar' | 'list' | undefined;

/**
 * The form in which a value of a type is handled. `undefined` is an absent value. Null, absent values and values that
 * the type does not allow have the first form that the type allows.
 */
export function formOf(type: FieldType, value: unknown): Form {
  if (Array.isArray(value) && type.list !== undefined) return 'list';
  const isScalar = ['number', 'string', 'boolean'].includes(typeof value);
  if (isScalar && type.isScalar === true) return 'scalar';
  if (type.map !== undefined) return 'map';
  if (type.isScalar === true) return 'scalar';
  return type.list === undefined ? undefined : 'list';
}

/** The type of a member. A member that is not declared has the deduced type, because it is checked elsewhere. */
export function memberType(map: MapType, name: string): FieldType {
  return map.fields.get(name)?.type ?? map.element ?? DEDUCED;
}
