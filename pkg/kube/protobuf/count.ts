import type protobuf from 'protobufjs/light.js';
import { tooManyValues } from '../status/errors.js';
import { ApiError } from '../status/status.js';
import { BoundedReader } from './reader.js';
import { isSpecial, perType } from './types.js';

/**
 * The fields of this wire type have a length: texts, bytes, messages and entries of maps. All that may repeat has one.
 */
const WITH_LENGTH = 2;
/** protobufjs refuses deeper messages. */
const DEEPEST = 100;

/** What a field with a length has in it, and how it counts. */
interface CountedField {
  /** Undefined for texts and bytes. */
  readonly inside: CountedFields | undefined;
  /** Whether it is a value also if it is empty. */
  readonly isItem: boolean;
  /** Whether it is a value of its own, and not the only part of one. */
  readonly isValue: boolean;
}

type CountedFields = (id: number) => CountedField | undefined;

/**
 * Throws 413 for a message with more than `values` values, before anything is made of them: they are made in one step,
 * which takes microseconds for each. What is no value in JSON, such as a zero, does not count.
 */
export function refuseManyValues(type: protobuf.Type, bytes: Uint8Array, values: number): void {
  const reader = new BoundedReader(bytes, values);
  let left = values;
  const count = (parts: CountedFields, end: number, depth: number): void => {
    while (reader.pos < end) {
      const tag = reader.tag();
      const part = (tag & 7) === WITH_LENGTH ? parts(tag >>> 3) : undefined;
      if (part === undefined) {
        reader.skipType(tag & 7, 0, tag >>> 3);
        continue;
      }
      const length = reader.uint32();
      const to = reader.pos + length;
      if (to > end) return;
      if (part.isItem || (part.isValue && length > 0)) left--;
      if (left < 0) throw tooManyValues(values);
      if (part.inside !== undefined && depth < DEEPEST) count(part.inside, to, depth + 1);
      reader.pos = to;
    }
  };
  try {
    count(partsOf(type), reader.len, 0);
  } catch (error) {
    // What is malformed is refused when it is read.
    if (error instanceof ApiError) throw error;
  }
}

const partsOf: (type: protobuf.Type) => CountedFields = perType((type) => {
  const isWhole = !isSpecial(type.name);
  const made = new Map<number, CountedField | undefined>();
  return (id) => {
    if (!made.has(id)) made.set(id, partOf(type.fieldsById[id], isWhole));
    return made.get(id);
  };
});

function partOf(field: protobuf.Field | undefined, isValue: boolean): CountedField | undefined {
  if (field === undefined) return undefined;
  const message = field.resolve().resolvedType as protobuf.Type | null;
  const inside = message === null ? undefined : partsOf(message);
  const isItem = field.map || field.repeated;
  return { inside: field.map ? entryOf(inside) : inside, isItem, isValue };
}

/** An entry of a map counts as one, with what is in its value. */
function entryOf(inside: CountedFields | undefined): CountedFields | undefined {
  if (inside === undefined) return undefined;
  const value = { inside, isItem: false, isValue: false };
  return (id) => (id === 2 ? value : undefined);
}
