import { isDict } from '../values/dict.js';
import { CelError, List, type Value } from '../values/value.js';

/** The number of characters, bytes, elements or entries. */
export function sizeOf(value: Value): number | undefined {
  if (typeof value === 'string') return characters(value);
  if (value instanceof List || isDict(value)) return value.size;
  return value instanceof Uint8Array ? value.length : undefined;
}

const LONG = 1000;
const KEPT = 4;
const counts = new Map<string, number>();

/** The characters of a text. The numbers for a few long texts are kept, because a loop may ask for them often, and asking costs only one unit. */
export function characters(text: string): number {
  if (text.length < LONG) return counted(text);
  const known = counts.get(text);
  if (known !== undefined) return known;
  const count = counted(text);
  if (counts.size >= KEPT) counts.clear();
  counts.set(text, count);
  return count;
}

/** Without making an array of them. */
function counted(text: string): number {
  let pairs = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 0xd800 && unit <= 0xdbff && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) pairs++;
  }
  return text.length - pairs;
}

export function size([a = null]: readonly Value[]): Value {
  const found = sizeOf(a);
  return found === undefined ? new CelError('no such overload: size') : BigInt(found);
}
