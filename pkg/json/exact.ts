import { badRequest } from '../status/errors.js';

const INTEGER = /^[-+]?[0-9]+$/;

/** Whether a number read from a text is certainly the one that was written there: it is no integer beyond 2^53, and not infinite. */
export function isExact(value: number): boolean {
  return Number.isSafeInteger(value) || (Number.isFinite(value) && Math.abs(value) < Number.MAX_SAFE_INTEGER);
}

/**
 * Whether a decimal number in a text is another number than `value`, which JSON.parse makes of it. This is an integer that is rounded, or a number
 * that is too large. A double is written with the fewest digits that identify it, so what this server has written is not changed when it comes back.
 */
export function changes(text: string, value: number): boolean {
  if (isExact(value)) return false;
  if (!Number.isFinite(value)) return true;
  return INTEGER.test(text) && BigInt(text.replace('+', '')) !== asWritten(value);
}

function asWritten(value: number): bigint {
  const text = String(value);
  return BigInt(text.includes('e') ? value : text);
}

/** The refusal of a number that would change. `path` may be empty. */
export function inexactNumber(path: string, text: string): Error {
  const where = path === '' ? 'the body' : path.slice(0, 300);
  const why = 'numbers are stored with 64 bits of floating point, which cannot hold it; send it as a text in quotes';
  return badRequest(`${where}: the number ${text.slice(0, 100)} would be changed: ${why}`);
}
