import { notSupported } from './cause.js';
import { isEqual } from './equal.js';
import { isInt64, printedJson, printedValue } from './go-text.js';
import { addProblem, type Result } from './result.js';

/** Null is in no enum of Kubernetes, not even if the enum has it. */
export function checkEnum(values: readonly unknown[], value: unknown, result: Result): void {
  if (value !== null && values.some((allowed) => allowed !== null && isTaken(value, allowed))) return;
  const problem = `should be one of ${printedValue(values)}`;
  addProblem(result, problem, (field) => notSupported(field, value, values.map(shown)));
}

/** Kubernetes converts the value to the type of the allowed one first, as Go does: 1.5 is 1 there, and 65 is "A". */
function isTaken(value: unknown, allowed: unknown): boolean {
  if (isEqual(value, allowed)) return true;
  if (typeof value !== 'number') return false;
  if (typeof allowed === 'number') return isInt64(allowed) && Math.trunc(value) === allowed;
  return isInt64(value) && typeof allowed === 'string' && allowed === character(value);
}

function character(code: number): string {
  const isChar = code >= 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return isChar ? String.fromCodePoint(code) : '\ufffd';
}

function shown(allowed: unknown): string {
  return typeof allowed === 'string' ? allowed : printedJson(allowed);
}
