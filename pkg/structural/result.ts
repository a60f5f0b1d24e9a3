import type { StatusCause } from '../status/status.js';
import { child } from './cause.js';

/**
 * What one validation found. As in Kubernetes, an error is identified by its words: the same words are told once. `matches` counts the checks that passed, which
 * decides which branch of an anyOf or oneOf is blamed.
 */
export interface Result {
  /** The path of the value that is validated. */
  readonly base: string;
  readonly causes: StatusCause[];
  /** The words of `causes`. */
  readonly words: string[];
  seen: Set<string> | undefined;
  /** All errors, with those that were known already. */
  failures: number;
  matches: number;
}

export function emptyResult(base: string): Result {
  return { base, causes: [], words: [], seen: undefined, failures: 0, matches: 0 };
}

export function isValid({ failures }: Result): boolean {
  return failures === 0;
}

/** `words` identify the error; `make` gives its cause. */
export function addError(result: Result, words: string, make: () => StatusCause): void {
  result.failures++;
  result.seen ??= new Set();
  if (result.seen.has(words)) return;
  result.seen.add(words);
  result.words.push(words);
  result.causes.push(make());
}

export function merge(result: Result, other: Result): void {
  result.matches += other.matches;
  other.causes.forEach((cause, i) => {
    addError(result, other.words[i] ?? '', () => cause);
  });
}

/** Forgets the errors that were added since the result had `causes` causes and `failures` failures. */
export function forget(result: Result, causes: number, failures: number): void {
  for (const words of result.words.splice(causes)) result.seen?.delete(words);
  result.causes.length = causes;
  result.failures = failures;
}

/** The path of a cause. `name` is that of the error: below the value, with a dot first below the root. */
export function fieldOf({ base }: Result, name: string): string {
  const below = name.startsWith('.') ? name.slice(1) : name;
  return name === '' || name === '.' ? base : child(base, below);
}
