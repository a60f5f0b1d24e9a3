import { diffLines, diffWordsWithSpace } from 'diff';

/** A part of a line. */
export interface Piece {
  readonly text: string;
  readonly isChanged: boolean;
}

export interface Side {
  readonly line: number;
  readonly pieces: readonly Piece[];
}

/** A line of both sides, or of one of them. */
export interface Row {
  readonly left?: Side;
  readonly right?: Side;
  readonly isSame: boolean;
}

export interface Comparison {
  readonly rows: readonly Row[];
  readonly added: number;
  readonly removed: number;
}

/** Milliseconds for the search of a small difference. After that, the whole texts count as changed. */
const WITHIN = 1500;
/**
 * Lines are compared by words up to this length of both sides, and for so many changes. Lines above the last length are
 * cut.
 */
const [LONGEST_COMPARED, MOST_COMPARED, LONGEST_SHOWN] = [600, 1000, 2000];

/** The lines of two texts side by side. */
export function compare(before: string, after: string): Comparison {
  const rows: Row[] = [];
  let [left, right, added, removed] = [0, 0, 0, 0];
  let gone: readonly string[] = [];
  const flush = (come: readonly string[]): void => {
    for (let i = 0; i < Math.max(gone.length, come.length); i++)
      rows.push(
        changedRow(
          gone[i],
          come[i],
          () => ++left,
          () => ++right,
          removed + i < MOST_COMPARED,
        ),
      );
    removed += gone.length;
    added += come.length;
    gone = [];
  };
  for (const { value, added: isAdded, removed: isRemoved } of changesOf(before, after)) {
    const lines = linesOf(value);
    if (isRemoved) gone = lines;
    else if (isAdded) flush(lines);
    else {
      flush([]);
      for (const text of lines) rows.push(sameRow(text, ++left, ++right));
    }
  }
  flush([]);
  return { rows, added, removed };
}

interface Change {
  readonly value: string;
  readonly added: boolean;
  readonly removed: boolean;
}

function changesOf(before: string, after: string): readonly Change[] {
  const found = diffLines(before, after, { timeout: WITHIN });
  return (
    found ?? [
      { value: before, added: false, removed: true },
      { value: after, added: true, removed: false },
    ]
  );
}

function linesOf(text: string): readonly string[] {
  return text.replace(/\n$/, '').split('\n');
}

function cut(text: string): string {
  return text.length <= LONGEST_SHOWN ? text : `${text.slice(0, LONGEST_SHOWN)}… (${text.length} characters)`;
}

function sameRow(text: string, left: number, right: number): Row {
  const pieces = [{ text: cut(text), isChanged: false }];
  return { left: { line: left, pieces }, right: { line: right, pieces }, isSame: true };
}

function changedRow(
  before: string | undefined,
  after: string | undefined,
  nextLeft: () => number,
  nextRight: () => number,
  isCompared: boolean,
): Row {
  const whole = (text: string): readonly Piece[] => [{ text: cut(text), isChanged: false }];
  if (before === undefined || after === undefined)
    return {
      ...(before !== undefined && { left: { line: nextLeft(), pieces: whole(before) } }),
      ...(after !== undefined && { right: { line: nextRight(), pieces: whole(after) } }),
      isSame: false,
    };
  const isShort = isCompared && before.length + after.length <= LONGEST_COMPARED;
  const words = isShort ? diffWordsWithSpace(before, after) : [];
  const side = (text: string, isLeft: boolean): readonly Piece[] =>
    isShort
      ? words
          .filter(({ added, removed }) => (isLeft ? !added : !removed))
          .map(({ value, added, removed }) => ({ text: value, isChanged: added || removed }))
      : whole(text);
  return {
    left: { line: nextLeft(), pieces: side(before, true) },
    right: { line: nextRight(), pieces: side(after, false) },
    isSame: false,
  };
}

/** Rows that are shown, or a run of equal rows that is folded. */
export type Part = { readonly rows: readonly Row[] } | { readonly folded: readonly Row[] };

/** Equal rows that are shown beside a change, and the fewest rows that are folded. */
const [CONTEXT, FEWEST] = [3, 8];

/** The comparison with its long equal runs folded. */
export function folded(rows: readonly Row[]): readonly Part[] {
  const parts: Part[] = [];
  let shown: Row[] = [];
  for (let at = 0; at < rows.length; ) {
    let end = at;
    while (rows[end]?.isSame === true) end++;
    const [from, to] = [at === 0 ? 0 : at + CONTEXT, end === rows.length ? end : end - CONTEXT];
    if (to - from >= FEWEST) {
      shown.push(...rows.slice(at, from));
      if (shown.length > 0) parts.push({ rows: shown });
      parts.push({ folded: rows.slice(from, to) });
      shown = rows.slice(to, end);
    } else shown.push(...rows.slice(at, end));
    at = end;
    for (; at < rows.length && rows[at]?.isSame === false; at++) shown.push(rows[at] as Row);
  }
  if (shown.length > 0) parts.push({ rows: shown });
  return parts;
}
