import type { Meter } from '../values/meter.js';
import { typeNameOf } from '../values/type-name.js';
import { CelError, type Value } from '../values/value.js';
import { characters, charactersBefore, unitOf } from './sizes.js';

/** The index of a part in a text, in characters. -1 if there is none. */
export function indexOfText(name: string, args: readonly Value[], isLast: boolean, meter: Meter): Value {
  const [text, part, from] = args;
  if (typeof text !== 'string' || typeof part !== 'string' || (from !== undefined && typeof from !== 'bigint')) {
    return new CelError(`no such overload: ${name}(${args.map(typeNameOf).join(', ')})`);
  }
  const count = characters(text, meter);
  if (from !== undefined && from < 0n) return new CelError(`index out of range: ${from}`);
  const start = Number(from ?? (isLast ? count : 0n));
  if (part === '') return BigInt(Math.min(start, count));
  if (start >= count && !(isLast && from === undefined)) return -1n;
  const unit = unitOf(text, start, meter);
  const index = isLast ? text.lastIndexOf(part, unit) : text.indexOf(part, unit);
  return BigInt(index < 0 ? -1 : charactersBefore(text, index, meter));
}
