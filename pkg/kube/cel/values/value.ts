/** What went wrong in an expression. It is a value, because `&&` and `||` may not need the side that failed. */
export class CelError {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

/** An unsigned integer of 64 bits. */
export class Uint {
  readonly value: bigint;

  constructor(value: bigint) {
    this.value = value;
  }
}

/** A point in time: nanoseconds since 1970, and the minutes east of UTC that its text shows. */
export class Timestamp {
  readonly nanos: bigint;
  readonly offset: number;

  constructor(nanos: bigint, offset = 0) {
    this.nanos = nanos;
    this.offset = offset;
  }
}

/** A length of time in nanoseconds, of 64 bits. */
export class Duration {
  readonly nanos: bigint;

  constructor(nanos: bigint) {
    this.nanos = nanos;
  }
}

/** The value of `type(x)`. */
export class TypeValue {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** `optional.of(value)`, or `optional.none()` with undefined. */
export class Optional {
  readonly value: Value | undefined;

  constructor(value: Value | undefined) {
    this.value = value;
  }
}

/** A value of a library, such as a URL. Two are equal if their keys are equal. */
export class Opaque<T = unknown> {
  readonly type: string;
  readonly content: T;
  readonly key: string;

  constructor(type: string, content: T, key: string) {
    this.type = type;
    this.content = content;
    this.key = key;
  }
}

/** Data that the schema says nothing about: it can only be compared. */
export class Unknown {
  readonly json: unknown;

  constructor(json: unknown) {
    this.json = json;
  }
}

/** How the elements of a list of an object belong together (x-kubernetes-list-type). */
export type ListType = 'atomic' | 'set' | 'map';

/** A list. Its elements are made when they are read. */
export class List {
  readonly size: number;
  /** Undefined for a list that an expression made. */
  readonly json: JsonSource | undefined;
  readonly #get: (index: number) => Value;

  constructor(size: number, get: (index: number) => Value, json?: JsonSource) {
    this.size = size;
    this.#get = get;
    this.json = json;
  }

  /** `index` is below the size. */
  get(index: number): Value {
    return this.#get(index);
  }
}

/** Where a list comes from, if it is part of an object. */
export interface JsonSource {
  readonly items: readonly unknown[];
  readonly type: ListType;
  /** The members that identify an element of a list of type map. */
  readonly keys: readonly string[];
}

/** A map, or an object of a schema. */
export interface Dict {
  readonly kind: 'dict';
  readonly size: number;
  /** Undefined if there is no such key. An error if no key can be of this type. */
  find(key: Value): Value | undefined;
  keys(): readonly Value[];
  /** The object that it is a view of. */
  readonly json?: JsonObject | undefined;
}

/** A part of an object, and the members that the schema names. */
export interface JsonObject {
  readonly members: Readonly<Record<string, unknown>>;
  /** Undefined for a member that the schema does not name. */
  readonly convert: (name: string) => ((json: unknown) => Value) | undefined;
}

/** A value of CEL. An int is a bigint, a double is a number, and bytes are a Uint8Array. */
export type Value =
  | null
  | boolean
  | bigint
  | number
  | string
  | Uint8Array
  | Uint
  | Timestamp
  | Duration
  | TypeValue
  | Optional
  | Opaque
  | Unknown
  | List
  | Dict
  | CelError;

export const NONE = new Optional(undefined);
export const NO_OVERLOAD = new CelError('no such overload');

export function isError(value: Value): value is CelError {
  return value instanceof CelError;
}

/** The first error, or that there is no function for such values. */
export function noOverload(...values: readonly Value[]): CelError {
  return values.find(isError) ?? NO_OVERLOAD;
}

export const INT_MIN = -(2n ** 63n);
export const INT_MAX = 2n ** 63n - 1n;
export const UINT_MAX = 2n ** 64n - 1n;
