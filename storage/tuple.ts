import { createHash } from 'node:crypto';
import type { Key } from './key.js';

/** The sort key of an index. Tuples are compared element by element: an absent element first, then numbers, then strings. */
export type Tuple = readonly (string | number)[];

const MAX_LENGTH = 1000;
const PREFIX = 960;

/**
 * Encodes a tuple as ASCII text that keeps the order in every backend: if `a < b` as tuples, then `encode(a) < encode(b)` as bytes and as
 * JavaScript strings. A prefix of a tuple encodes to a prefix of the text. A text of more than 1000 characters is cut and gets a SHA-256,
 * which keeps equality, but the order only up to the cut. By hand because packages encode tuples as bytes, which JavaScript strings and
 * MongoDB's `_id` do not order alike.
 */
export function encodeTuple(tuple: Tuple): string {
  let text = '';
  for (const element of tuple) text += typeof element === 'number' ? encodeNumber(element) : encodeText(element);
  if (text.length <= MAX_LENGTH) return text;
  return text.slice(0, PREFIX) + createHash('sha256').update(text).digest('hex');
}

/** The tuple that was encoded. `undefined` if its text was cut. */
export function decodeTuple(text: string): Tuple | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const elements: (string | number)[] = [];
  for (let at = 0; at < text.length; ) {
    const end = elementEnd(text, at);
    elements.push(text[at] === 'n' ? decodeNumber(text.slice(at + 1, end)) : decodeText(text.slice(at + 1, end - 1)));
    at = end;
  }
  return elements;
}

/** The encoded first elements of an encoded tuple: all of it, if it has no more or was cut. */
export function firstElements(text: string, count: number): string {
  if (text.length > MAX_LENGTH) return text;
  let end = 0;
  for (let i = 0; i < count && end < text.length; i++) end = elementEnd(text, end);
  return text.slice(0, end);
}

function elementEnd(text: string, at: number): number {
  return text[at] === 'n' ? at + NUMBER_LENGTH : text.indexOf('!', at) + 1;
}

/** The exclusive end of the range of all encoded tuples that begin with `prefix`. */
export function prefixEnd(prefix: string): string {
  return `${prefix}\x7f`;
}

/** The sort key of a row in its index: by tuple, then by key. A space sorts below every character of a tuple. */
export function rowKey(tuple: string, key: Key): string {
  return `${tuple} ${key}`;
}

/** An `n` and eight bytes. */
const NUMBER_LENGTH = 17;

const BITS = new DataView(new ArrayBuffer(8));
const SIGN = 0x80000000;

/** IEEE 754 in big-endian hexadecimal. Negative numbers are inverted, and others get the sign bit, so the texts sort like the numbers. */
function encodeNumber(value: number): string {
  BITS.setFloat64(0, value === 0 ? 0 : value);
  const [high, low] = [BITS.getUint32(0), BITS.getUint32(4)];
  return high >= SIGN ? `n${word(~high)}${word(~low)}` : `n${word(high | SIGN)}${word(low)}`;
}

function word(value: number): string {
  return (value >>> 0).toString(16).padStart(8, '0');
}

function decodeNumber(text: string): number {
  const [high, low] = [Number.parseInt(text.slice(0, 8), 16), Number.parseInt(text.slice(8), 16)];
  BITS.setUint32(0, high >= SIGN ? high ^ SIGN : ~high);
  BITS.setUint32(4, high >= SIGN ? low : ~low);
  return BITS.getFloat64(0);
}

const PLAIN = /^[#-|]*$/;

/** `!` ends a string and sorts before every other character. The bytes of UTF-8 from `#` to `|` stand for themselves. */
function encodeText(value: string): string {
  if (PLAIN.test(value)) return `s${value}!`;
  let text = 's';
  for (const byte of Buffer.from(value, 'utf8')) text += encodeByte(byte);
  return `${text}!`;
}

/** Escapes sort on their side of the plain characters: `"` below `#`, and `}` above `|`. */
function encodeByte(byte: number): string {
  if (byte < 0x23) return `"${hex(byte)}`;
  return byte > 0x7c ? `}${hex(byte)}` : String.fromCharCode(byte);
}

function hex(byte: number): string {
  return byte.toString(16).padStart(2, '0');
}

const ESCAPES = /["}]([0-9a-f]{2})/g;

function decodeText(text: string): string {
  if (!text.includes('"') && !text.includes('}')) return text;
  const bytes = text.replace(ESCAPES, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
