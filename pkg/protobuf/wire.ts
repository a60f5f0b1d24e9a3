import { isUtf8 } from 'node:buffer';
import { badRequest } from '../status/errors.js';

/** A field on the wire: a varint is a number, a length-delimited field is bytes. Our messages have no fixed-width fields. */
export type WireField =
  | { readonly number: number; readonly kind: 'varint'; readonly value: bigint }
  | { readonly number: number; readonly kind: 'bytes'; readonly value: Uint8Array }
  | { readonly number: number; readonly kind: 'fixed' };

const MAX_FIELD_NUMBER = 2 ** 29 - 1;
const MAX_VARINT_BYTES = 10;

/** The fields of one message, in the order of the bytes. Throws 400 if the bytes are not a message. */
export function* readFields(bytes: Uint8Array): Generator<WireField, void, undefined> {
  let at = 0;
  const take = (length: number): Uint8Array => {
    if (length > bytes.length - at) throw malformed('a field is longer than what holds it');
    at += length;
    return bytes.subarray(at - length, at);
  };
  const varint = (): bigint => {
    let value = 0n;
    for (let i = 0; i < MAX_VARINT_BYTES; i++) {
      const [byte = 0] = take(1);
      value |= BigInt(byte & 0x7f) << BigInt(7 * i);
      if (byte < 0x80) return BigInt.asIntN(64, value);
    }
    throw malformed('a number is longer than 64 bits');
  };
  while (at < bytes.length) {
    const tag = Number(BigInt.asUintN(64, varint()));
    const number = Math.floor(tag / 8);
    if (number < 1 || number > MAX_FIELD_NUMBER) throw malformed(`there is no field ${number}`);
    switch (tag % 8) {
      case 0:
        yield { number, kind: 'varint', value: varint() };
        break;
      case 2:
        yield { number, kind: 'bytes', value: take(Number(BigInt.asUintN(64, varint()))) };
        break;
      case 1:
      case 5:
        take(tag % 8 === 1 ? 8 : 4);
        yield { number, kind: 'fixed' };
        break;
      default:
        throw malformed(`field ${number} has the unknown wire type ${tag % 8}`);
    }
  }
}

export function textOf(bytes: Uint8Array): string {
  if (!isUtf8(bytes)) throw malformed('a text is not valid UTF-8');
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}

export function malformed(why: string, cause?: unknown): Error {
  return badRequest(`the body is not a valid Kubernetes protobuf message: ${why}`, cause);
}
