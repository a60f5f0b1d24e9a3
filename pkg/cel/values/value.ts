import type { Dict } from './dict.js';
import type { List } from './list.js';

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

/** A value of a library, as a URL. Two are equal if their keys are. */
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
