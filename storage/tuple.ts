import { createHash } from 'node:crypto';
import type { Key } from './key.js';

/** What an index orders by: compared element by element; numbers before strings; an absent element before both. */
export type Tuple = readonly (string | number)[];

const LONGEST = 512;
const PREFIX = 440;

/**
 * An order-preserving text form of a tuple, ASCII only, alike in every backend: `a < b` as tuples is `encode(a) < encode(b)` as bytes
 * and as JavaScript strings. A prefix of a tuple encodes to a prefix. Longer than 512 characters it becomes a
 * prefix and a SHA-256, which keeps equality but, beyond the prefix, not order.
 */
export function encodeTuple(tuple: Tuple): string {
  let text = '';
  for (const element of tuple) text += typeof element === 'number' ? encodeNumber(element) : encodeText(element);
  if (text.length <= LONGEST) return text;
  return text.slice(0, PREFIX) + createHash('sha256').update(text).digest('hex');
}

/** The end of the range that begins with `prefix`: every encoded tuple that extends it sorts below. */
export function prefixEnd(prefix: string): string {
  return `${prefix}\x7f`;
}

/** The sort key of a row in its index: by tuple, then by key. A space sorts below every character of a tuple. */
export function rowKey(tuple: string, key: Key): string {
  return `${tuple} ${key}`;
}

/** IEEE 754 in big-endian hex, negative numbers inverted, the others with the sign bit set: orders like the numbers. */
function encodeNumber(value: number): string {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value === 0 ? 0 : value);
  const negative = (bytes.readUInt8(0) & 0x80) !== 0;
  for (let i = 0; i < 8; i++) bytes[i] = (bytes[i] ?? 0) ^ (negative ? 0xff : i === 0 ? 0x80 : 0);
  return `n${bytes.toString('hex')}`;
}

/** Hex of UTF-8 (orders like code points); `!` ends a string and sorts below every digit. */
function encodeText(value: string): string {
  return `s${Buffer.from(value, 'utf8').toString('hex')}!`;
}
