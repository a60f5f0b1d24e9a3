import './raw-json.js';

const INTEGER = /^[-+]?[0-9]+$/;

/**
 * Whether a number read from a text is certainly the one that was written there: it is no integer beyond 2^53, and not
 * infinite.
 */
export function isExact(value: number): boolean {
  return Number.isSafeInteger(value) || (Number.isFinite(value) && Math.abs(value) < Number.MAX_SAFE_INTEGER);
}

/**
 * The number that a decimal text is. An integer is a bigint only if a double would be written as another one, so each
 * integer has one form, and `===` compares. `undefined` if the text is an integer that neither a double nor 64 bits
 * hold, or a number that is too large for a double. A double is written with the fewest digits that identify it, so
 * what this server has written is not changed when it comes back.
 */
export function exactNumber(text: string): number | bigint | undefined {
  const value = Number(text);
  if (isExact(value)) return value;
  if (!Number.isFinite(value)) return undefined;
  return INTEGER.test(text) ? exactInteger(BigInt(text.replace('+', ''))) : value;
}

/** The same for an integer that is known. */
export function exactInteger(whole: bigint): number | bigint | undefined {
  const value = Number(whole);
  if (Number.isFinite(value) && integerOf(value) === whole) return value;
  return BigInt.asIntN(64, whole) === whole ? whole : undefined;
}

/** The integer that a number is written as. The number must be an integer, or almost: a fraction throws. */
export function integerOf(value: number | bigint): bigint {
  if (typeof value === 'bigint' || Number.isSafeInteger(value)) return BigInt(value);
  const text = String(value);
  return BigInt(text.includes('e') ? value : text);
}

/** The order of two numbers of JSON: below 0 if `a` is the smaller one. */
export function compareNumbers(a: number | bigint, b: number | bigint): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  const [x, y] = [comparable(a), comparable(b)];
  return x < y ? -1 : x > y ? 1 : 0;
}

/** As it is written, because the digits of a large double are not all of its own. */
const comparable = (value: number | bigint): number | bigint =>
  Number.isInteger(value) && !Number.isSafeInteger(value) ? integerOf(value) : value;

/** Whether a JSON value is a number. */
export function isNumber(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}
