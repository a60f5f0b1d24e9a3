import type { StatusCause } from '../status/status.js';
import { child } from './cause.js';

/**
 * What one validation found. As in Kubernetes, an error is identified by its words, and the same words are reported once. `matches` counts the checks
 * that passed. It decides whose errors are reported, if no branch of an anyOf or oneOf fits.
 */
export interface Result {
  /** The path of the value that is validated. */
  readonly base: string;
  /** The names and indexes from there to the part that is visited. The results of branches share it. */
  readonly path: PathPart[];
  readonly causes: StatusCause[];
  /** The words of `causes`. */
  readonly words: string[];
  seen: Set<string> | undefined;
  /** All errors, with those that were known already. */
  failures: number;
  matches: number;
}

export type PathPart = string | number;

export function emptyResult(base: string, path: PathPart[] = []): Result {
  return { base, path, causes: [], words: [], seen: undefined, failures: 0, matches: 0 };
}

/** The path of the part that is visited, as Kubernetes names it in its words. Paths are only made for errors, because most values have none. */
export function pathOf({ path }: Result): string {
  let text = '';
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`;
    else text = text === '' ? part : `${text}.${part}`;
  }
  return text;
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

/** An error about the part that is visited. `make` gets its field, and the problem with the path before it. */
export function addProblem(result: Result, problem: string, make: (field: string, words: string) => StatusCause): void {
  const path = pathOf(result);
  const words = `${path} in body ${problem}`;
  addError(result, words, () => make(fieldOf(result, path), words));
}

/** The field of the error at a path, which begins with a dot if it is that of a member without a property. */
export function fieldOf({ base }: Result, path: string): string {
  const below = path.startsWith('.') ? path.slice(1) : path;
  return path === '' || path === '.' ? base : child(base, below);
}
