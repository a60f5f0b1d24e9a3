import { isDict } from '../values/dict.js';
import { type Meter, work } from '../values/meter.js';
import { CelError, List, type Value } from '../values/value.js';

/** The number of characters, bytes, elements or entries. */
export function sizeOf(value: Value, meter?: Meter): number | undefined {
  if (typeof value === 'string') return characters(value, meter);
  if (value instanceof List || isDict(value)) return value.size;
  return value instanceof Uint8Array ? value.length : undefined;
}

const LONG = 1000;
const KEPT = 4;
/** Code units that are read in the time of one step. */
const SPEED = 25;
const counts = new Map<string, number>();

/**
 * The characters of a text. The numbers for a few long texts are kept, because a loop may ask for them often, and
 * asking costs only one unit.
 */
export function characters(text: string, meter?: Meter): number {
  if (text.length < LONG) return counted(text);
  const known = counts.get(text);
  if (known !== undefined) return known;
  if (meter !== undefined) work(meter, text.length / SPEED);
  const count = counted(text);
  if (counts.size >= KEPT) counts.clear();
  counts.set(text, count);
  return count;
}

/** The place of a character in code units. In most texts the two are the same. */
export function unitOf(text: string, character: number, meter: Meter): number {
  if (characters(text, meter) === text.length) return character;
  work(meter, character / SPEED);
  let unit = 0;
  for (let i = 0; i < character && unit < text.length; i++) unit += isPair(text, unit) ? 2 : 1;
  return unit;
}

/** The character at a place in code units. */
export function charactersBefore(text: string, unit: number, meter: Meter): number {
  if (characters(text, meter) === text.length) return unit;
  work(meter, unit / SPEED);
  return counted(text, unit);
}

function isPair(text: string, offset: number): boolean {
  return (text.charCodeAt(offset) & 0xfc00) === 0xd800 && (text.charCodeAt(offset + 1) & 0xfc00) === 0xdc00;
}

/** Without making an array of them. */
function counted(text: string, end = text.length): number {
  let pairs = 0;
  for (let i = 0; i < end; i++) {
    if (isPair(text, i) && i + 1 < end) pairs++;
  }
  return end - pairs;
}

export function size([a = null]: readonly Value[], meter: Meter): Value {
  const length = sizeOf(a, meter);
  return length === undefined ? new CelError('no such overload: size') : BigInt(length);
}
