import { createHash } from 'node:crypto';

/** Which of the mutants of the files are run. The choice does not depend on the other mutants. */
export interface Choice {
  /** The share of the mutants, in percent, and the seed that decides which. */
  readonly share: number;
  readonly seed: number;
  /** The keys of the mutants, or undefined for all. */
  readonly only: readonly string[] | undefined;
}

/** What identifies a mutant, as Stryker gives it to its plugins: lines and columns begin at 0. */
export interface Identity {
  readonly file: string;
  readonly replacement: string | undefined;
  readonly location: { readonly start: Position; readonly end: Position };
}

interface Position {
  readonly line: number;
  readonly column: number;
}

export function keyOf({ file, replacement, location: { start, end } }: Identity): string {
  return [file, start.line, start.column, end.line, end.column, replacement].join(' ');
}

/** A function that tells whether the mutant with a key is run. */
export function chooser({ share, seed, only }: Choice): (key: string) => boolean {
  const keys = only === undefined ? undefined : new Set(only);
  return (key) => (keys?.has(key) ?? true) && percentile(`${seed} ${key}`) < share;
}

function percentile(text: string): number {
  return (100 * createHash('sha256').update(text).digest().readUInt32BE()) / 2 ** 32;
}
