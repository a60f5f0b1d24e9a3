import { Work } from '../../system/yielding/work.js';
import { beginning, Causes, type CausesMark, type StatusCause } from '../status/causes.js';
import { child } from './cause.js';

/**
 * What one validation found. As in Kubernetes, an error is identified by its words, and the same words are reported
 * once. `matches` counts the checks that passed. It decides whose errors are reported, if no branch of an anyOf or
 * oneOf fits.
 */
export interface Result {
  /** The path of the value that is validated. */
  readonly base: string;
  /** The names and indexes from there to the part that is visited. The results of branches share it. */
  readonly path: PathPart[];
  readonly causes: Causes;
  /** The words of `causes`. */
  readonly words: string[];
  seen: Set<string> | undefined;
  /** All errors, with those that were known already. */
  failures: number;
  matches: number;
  /** Of the whole validation. */
  readonly work: Work;
  readonly isBranch: boolean;
}

export type PathPart = string | number;

export function emptyResult(base: string): Result {
  return resultAt(base, [], new Work(), false);
}

/** The result of a branch for the part that is visited. */
export function branchResult({ base, path, work }: Result): Result {
  return resultAt(base, path, work, true);
}

function resultAt(base: string, path: PathPart[], work: Work, isBranch: boolean): Result {
  return { base, path, causes: new Causes(), words: [], seen: undefined, failures: 0, matches: 0, work, isBranch };
}

/** The most characters of a path. Clients choose the names in it. */
const LONGEST_PATH = 1000;

/**
 * The path of the part that is visited, as Kubernetes names it in its words. Paths are only made for errors, because
 * most values have none.
 */
export function pathOf({ path }: Result): string {
  let text = '';
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`;
    else text = joined(text, part);
    if (text.length > LONGEST_PATH) return `${beginning(text, LONGEST_PATH)}…`;
  }
  return text;
}

/** The path of a member of the part that is visited. */
export function pathTo(result: Result, name: string): string {
  return `${pathOf(result)}.${beginning(name, LONGEST_PATH)}`;
}

function joined(path: string, name: string): string {
  const shown = beginning(name, LONGEST_PATH + 1);
  return path === '' ? shown : `${path}.${shown}`;
}

export function isValid({ failures }: Result): boolean {
  return failures === 0;
}

/** Units of work that an error takes. */
const ERROR = 10;

/** `words` identify the error; `make` gives its cause. */
export function addError(result: Result, words: () => string, make: (words: string) => StatusCause): void {
  result.failures++;
  // The error counts, but nobody will see it, so that it needs no text.
  if (result.causes.isFull) {
    result.causes.cut();
    return;
  }
  result.work.add(ERROR);
  const text = words();
  result.seen ??= new Set();
  if (result.seen.has(text)) return;
  result.seen.add(text);
  result.words.push(text);
  result.causes.add(make(text));
}

export function merge(result: Result, other: Result): void {
  result.matches += other.matches;
  other.words.forEach((words, i) => {
    const cause = other.causes.list[i];
    if (cause !== undefined) {
      addError(
        result,
        () => words,
        () => cause,
      );
    }
  });
  if (other.causes.isCut) result.causes.cut();
}

/** Forgets the errors that were added since the mark was made, and the result had `failures` failures. */
export function forget(result: Result, mark: CausesMark, failures: number): void {
  for (const words of result.words.splice(mark.count)) result.seen?.delete(words);
  result.causes.restore(mark);
  result.failures = failures;
}

/** An error about the part that is visited. `make` gets its field, and the problem with the path before it. */
export function addProblem(
  result: Result,
  problem: () => string,
  make: (field: string, words: string) => StatusCause,
): void {
  addError(
    result,
    () => `${pathOf(result)} in body ${problem()}`,
    (words) => make(fieldOf(result, pathOf(result)), words),
  );
}

/** The field of the error at a path, which begins with a dot if it is that of a member without a property. */
export function fieldOf({ base }: Result, path: string): string {
  const below = path.startsWith('.') ? path.slice(1) : path;
  return path === '' || path === '.' ? base : child(base, below);
}
