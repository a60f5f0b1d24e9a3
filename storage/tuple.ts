import { createHash } from 'node:crypto';
import type { Key } from './key.js';

/** The sort key of an index. Tuples are compared element by element: an absent element first, then numbers, then strings. */
export type Tuple = readonly (string | number)[];

const MAX_LENGTH = 512;
const PREFIX = 440;

/**
 * Encodes a tuple as ASCII text that keeps the order in every backend: if `a < b` as tuples, then `encode(a) < encode(b)` as bytes and as
 * JavaScript strings. A prefix of a tuple encodes to a prefix of the text. A text of more than 512 characters is cut and gets a SHA-256,
 * which keeps equality, but the order only up to the cut. By hand because packages encode tuples as bytes, which JavaScript strings and
 * MongoDB's `_id` do not order alike.
 */
export function encodeTuple(tuple: Tuple): string {
  let text = '';
  for (const element of tuple) text += typeof element === 'number' ? encodeNumber(element) : encodeText(element);
  if (text.length <= MAX_LENGTH) return text;
  return text.slice(0, PREFIX) + createHash('sha256').update(text).digest('hex');
}

/** The exclusive end of the range of all encoded tuples that begin with `prefix`. */
export function prefixEnd(prefix: string): string {
  return `${prefix}\x7f`;
}

/** The sort key of a row in its index: by tuple, then by key. A space sorts below every character of a tuple. */
export function rowKey(tuple: string, key: Key): string {
  return `${tuple} ${key}`;
}

/** IEEE 754 in big-endian hexadecimal. Negative numbers are inverted, and others get the sign bit, so the texts sort like the numbers. */
function encodeNumber(value: number): string {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value === 0 ? 0 : value);
  const negative = (bytes.readUInt8(0) & 0x80) !== 0;
  for (let i = 0; i < 8; i++) bytes[i] = (bytes[i] ?? 0) ^ (negative ? 0xff : i === 0 ? 0x80 : 0);
  return `n${bytes.toString('hex')}`;
}

/** UTF-8 in hexadecimal, which sorts by code point. `!` ends a string and sorts before every digit. */
function encodeText(value: string): string {
  return `s${Buffer.from(value, 'utf8').toString('hex')}!`;
}
