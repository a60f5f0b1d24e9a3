import { invalid, tooLong } from './cause.js';
import { wrongType } from './check-type.js';
import type { Checks, StringChecks } from './node.js';
import { limitsOf, matchesPattern, patternProblem } from './patterns.js';
import { addProblem, type Result } from './result.js';
import { shownPart } from './shown.js';

/** Characters that are checked in one unit of work. */
const FORMAT_SPEED = 50;
/** Steps of a pattern in one unit of work. */
const PATTERN_SPEED = 20;

/**
 * The length in characters of Unicode, the pattern and the format. Of the first two, only the first problem is
 * reported.
 */
export function checkString(checks: Checks, value: string, result: Result): void {
  if (checks.string !== undefined) checkText(checks.string, value, result);
  if (checks.hasFormat === undefined) return;
  result.matches++;
  result.work.add(value.length / FORMAT_SPEED);
  if (!checks.hasFormat(value)) wrongType(result, checks.format, value);
}

function checkText({ minLength, maxLength, pattern }: StringChecks, value: string, result: Result): void {
  if (maxLength !== undefined && value.length > maxLength && runeCount(value) > maxLength) {
    addProblem(
      result,
      () => `should be at most ${maxLength} chars long`,
      (field) => tooLong(field, maxLength),
    );
    return;
  }
  if (minLength !== undefined && runeCount(value) < minLength) {
    wrong(result, value, () => `should be at least ${minLength} chars long`);
    return;
  }
  if (pattern !== '') checkPattern(pattern, value, result);
}

function checkPattern(pattern: string, value: string, result: Result): void {
  const { size, longest: most } = limitsOf(pattern);
  if (value.length > most) {
    wrong(result, value, () => `should be at most ${most} chars long, so that it can be compared with its pattern`);
    return;
  }
  result.work.add((value.length * size) / PATTERN_SPEED);
  if (matchesPattern(pattern, value)) return;
  const problem = patternProblem(pattern);
  const but = problem === undefined ? '' : `, but pattern is invalid: ${shownPart(problem)}`;
  wrong(result, value, () => `should match '${shownPart(pattern)}${but}'`);
}

function runeCount(text: string): number {
  let count = text.length;
  for (let i = 0; i < text.length - 1; i++) {
    if (isHigh(text.charCodeAt(i)) && isLow(text.charCodeAt(i + 1))) count--;
  }
  return count;
}

function isHigh(code: number): boolean {
  return code >= 0xd800 && code < 0xdc00;
}

function isLow(code: number): boolean {
  return code >= 0xdc00 && code < 0xe000;
}

/** Adds an error that shows the value. */
export function wrong(result: Result, value: unknown, problem: () => string): void {
  addProblem(result, problem, (field, words) => invalid(field, value, words));
}
