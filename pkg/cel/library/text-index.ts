import { typeNameOf } from '../values/type-name.js';
import { CelError, type Value } from '../values/value.js';

/** The index of a part in a text, in characters. -1 if there is none. */
export function indexOfText(name: string, args: readonly Value[], isLast: boolean): Value {
  const [text, part, from] = args;
  if (typeof text !== 'string' || typeof part !== 'string' || (from !== undefined && typeof from !== 'bigint')) {
    return new CelError(`no such overload: ${name}(${args.map(typeNameOf).join(', ')})`);
  }
  const all = [...text];
  const found = isLast ? lastIndex(all, part, from) : firstIndex(all, part, from ?? 0n);
  return typeof found === 'number' ? BigInt(found) : found;
}

function outOfRange(index: bigint): CelError {
  return new CelError(`index out of range: ${index}`);
}

function firstIndex(all: readonly string[], part: string, from: bigint): number | CelError {
  if (from < 0n) return outOfRange(from);
  const start = Number(from);
  if (part === '') return Math.min(start, all.length);
  if (start >= all.length) return -1;
  const prefix = all.slice(0, start).join('').length;
  return inCharacters(all, all.join('').indexOf(part, prefix));
}

function lastIndex(all: readonly string[], part: string, from: bigint | undefined): number | CelError {
  if (from === undefined) return part === '' ? all.length : inCharacters(all, all.join('').lastIndexOf(part));
  if (from < 0n) return outOfRange(from);
  const start = Number(from);
  if (part === '') return Math.min(start, all.length);
  if (start >= all.length) return -1;
  return inCharacters(all, all.join('').lastIndexOf(part, all.slice(0, start).join('').length));
}

/** Converts an index in code units to one in characters. */
function inCharacters(all: readonly string[], index: number): number {
  return index < 0 ? -1 : [...all.join('').slice(0, index)].length;
}
