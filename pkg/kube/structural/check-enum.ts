import { notSupported } from './cause.js';
import { isEqual } from './equal.js';
import { isInt64 } from './go-text.js';
import { addProblem, type Result } from './result.js';
import { shownValue } from './shown.js';

/** The values of an enum. Texts, numbers and booleans are found without a look at each. */
export interface Enum {
  readonly values: readonly unknown[];
  readonly scalars: ReadonlySet<unknown>;
  readonly others: readonly unknown[];
}

export function enumOf(values: readonly unknown[]): Enum {
  const isScalar = (value: unknown): boolean => typeof value !== 'object' || value === null;
  return {
    values,
    scalars: new Set(values.filter((value) => value !== null && isScalar(value))),
    others: values.filter((value) => !isScalar(value)),
  };
}

/** Null is in no enum of Kubernetes, not even if the enum has it. */
export function checkEnum(allowed: Enum, value: unknown, result: Result): void {
  if (value !== null && isTaken(value, allowed, result)) return;
  addProblem(
    result,
    () => `should be one of ${shownValue(allowed.values)}`,
    (field) => notSupported(field, value, allowed.values),
  );
}

/** Kubernetes converts the value to the type of the allowed one first, as Go does: 1.5 is 1 there, and 65 is "A". */
function isTaken(value: unknown, { scalars, others }: Enum, { work }: Result): boolean {
  if (typeof value === 'object') {
    work.add(others.length);
    return others.some((other) => isEqual(value, other));
  }
  if (scalars.has(value)) return true;
  if (typeof value !== 'number') return false;
  const whole = Math.trunc(value);
  if (isInt64(whole) && scalars.has(whole)) return true;
  return isInt64(value) && scalars.has(character(value));
}

function character(code: number): string {
  const isChar = code >= 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return isChar ? String.fromCodePoint(code) : '\ufffd';
}
