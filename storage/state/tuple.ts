import { createHash } from 'node:crypto';
import type { Key } from '../key.js';

/**
 * The sort key of an index. Tuples are compared element by element: an absent element first, then numbers, then
 * strings.
 */
export type Tuple = readonly (string | number)[];

const MAX_LENGTH = 1000;
const PREFIX = 960;

/**
 * Encodes a tuple as ASCII text that keeps the order in every backend: if `a < b` as tuples, then `encode(a) <
 * encode(b)` as bytes and as JavaScript strings. A prefix of a tuple encodes to a prefix of the text. A text of more
 * than 1000 characters is cut and gets a SHA-256, which keeps equality, but the order only up to the cut. By hand
 * because packages encode tuples as bytes, which JavaScript strings and MongoDB's `_id` do not order alike.
 */
export function encodeTuple(tuple: Tuple): string {
  const size = roomFor(tuple);
  const target = size <= SCRATCH.length ? SCRATCH : Buffer.allocUnsafe(size);
  let offset = 0;
  for (const element of tuple)
    offset =
      typeof element === 'number' ? writeNumber(target, offset, element) : writeText(target, offset, textOf(element));
  const text = target.toString('latin1', 0, offset);
  if (offset <= MAX_LENGTH) return text;
  return text.slice(0, PREFIX) + createHash('sha256').update(text).digest('hex');
}

/**
 * A damaged object may lack the text, whatever the type says. It gets a row all the same, so that a server starts and
 * `adminctl check` can name the object.
 */
function textOf(element: unknown): string {
  return String(element);
}

/** The tuple that was encoded. `undefined` if its text was cut. */
export function decodeTuple(text: string): Tuple | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const elements: (string | number)[] = [];
  for (let offset = 0; offset < text.length; ) {
    const end = elementEnd(text, offset);
    elements.push(
      text[offset] === 'n' ? decodeNumber(text.slice(offset + 1, end)) : decodeText(text.slice(offset + 1, end - 1)),
    );
    offset = end;
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

function elementEnd(text: string, offset: number): number {
  return text[offset] === 'n' ? offset + NUMBER_LENGTH : text.indexOf('!', offset) + 1;
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

// Codes of characters.
const NUMBER = 0x6e;
const TEXT = 0x73;
const END = 0x21;
const BELOW = 0x22;
const ABOVE = 0x7d;
const ZERO = 0x30;
const LETTER_A = 0x61;
const FIRST_PLAIN = 0x23;
const LAST_PLAIN = 0x7c;
const FIRST_BEYOND_ASCII = 0x80;

/** The most characters of a code unit of a text: three bytes of UTF-8, each escaped. */
const ESCAPED = 9;

/**
 * A tuple is written into this buffer, and then becomes one text. Each object has some tuples. Joining them from many
 * texts made a fifth of the garbage of a start.
 */
const SCRATCH = Buffer.allocUnsafe(4096);

function roomFor(tuple: Tuple): number {
  let size = 0;
  for (const element of tuple)
    size += typeof element === 'number' ? NUMBER_LENGTH : textOf(element).length * ESCAPED + 2;
  return size;
}

const BITS = new DataView(new ArrayBuffer(8));
const SIGN = 0x80000000;

/**
 * IEEE 754 in big-endian hexadecimal. Negative numbers are inverted, and others get the sign bit, so the texts sort
 * like the numbers.
 */
function writeNumber(target: Buffer, offset: number, value: number): number {
  BITS.setFloat64(0, value === 0 ? 0 : value);
  const [high, low] = [BITS.getUint32(0), BITS.getUint32(4)];
  const isNegative = high >= SIGN;
  target[offset] = NUMBER;
  writeWord(target, offset + 1, isNegative ? ~high : high | SIGN);
  writeWord(target, offset + 9, isNegative ? ~low : low);
  return offset + NUMBER_LENGTH;
}

function writeWord(target: Buffer, offset: number, word: number): void {
  for (let i = 0; i < 8; i++) target[offset + i] = digit(word >>> (28 - 4 * i));
}

/** The character of the lowest four bits in hexadecimal. */
function digit(bits: number): number {
  const value = bits & 0xf;
  return value < 10 ? ZERO + value : LETTER_A + value - 10;
}

function decodeNumber(text: string): number {
  const [high, low] = [Number.parseInt(text.slice(0, 8), 16), Number.parseInt(text.slice(8), 16)];
  BITS.setUint32(0, high >= SIGN ? high ^ SIGN : ~high);
  BITS.setUint32(4, high >= SIGN ? low : ~low);
  return BITS.getFloat64(0);
}

/**
 * `!` ends a string and sorts before every other character. The bytes of UTF-8 from `#` to `|` stand for themselves.
 */
function writeText(target: Buffer, start: number, value: string): number {
  let offset = start;
  target[offset++] = TEXT;
  for (let i = 0; i < value.length; i++) {
    const unit = value.charCodeAt(i);
    if (unit >= FIRST_BEYOND_ASCII) {
      for (const byte of Buffer.from(value.slice(i))) offset = writeByte(target, offset, byte);
      break;
    }
    offset = writeByte(target, offset, unit);
  }
  target[offset++] = END;
  return offset;
}

/** Escapes sort on their side of the plain characters: `"` below `#`, and `}` above `|`. */
function writeByte(target: Buffer, offset: number, byte: number): number {
  if (byte >= FIRST_PLAIN && byte <= LAST_PLAIN) {
    target[offset] = byte;
    return offset + 1;
  }
  target[offset] = byte < FIRST_PLAIN ? BELOW : ABOVE;
  target[offset + 1] = digit(byte >>> 4);
  target[offset + 2] = digit(byte);
  return offset + 3;
}

const ESCAPES = /["}]([0-9a-f]{2})/g;

function decodeText(text: string): string {
  if (!text.includes('"') && !text.includes('}')) return text;
  const bytes = text.replace(ESCAPES, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
