/** A text by lines, as CodeMirror has it. */
export interface Lines {
  readonly lines: number;
  line(number: number): { readonly text: string; readonly from: number };
}

/** One line of YAML in block style: `  - name: value`. */
interface Line {
  /** The columns of the dashes, from 0 on. */
  readonly dashes: readonly number[];
  /** The column of the key or the value behind them. */
  readonly column: number;
  readonly key: string | undefined;
  /** The text after the colon. */
  readonly value: string;
}

/** Where a line is in the object. */
export interface Cursor {
  /** The fields around it. Every item of a list is 0, because all items have one schema. */
  readonly parents: readonly (string | number)[];
  /** The key of the line. Undefined if it has none yet. */
  readonly key: string | undefined;
  readonly column: number;
  /** The other keys of the same object. */
  readonly siblings: ReadonlySet<string>;
}

const LINE = /^( *)((?:- +|-$)*)(?:("(?:[^"\\]|\\.)*"|'[^']*'|[^\s#:{["'][^:#]*?)\s*:(?:\s+(.*))?$)?/;
/** The most lines that are read above and below. */
const FARTHEST = 20_000;

/** Undefined for lines without content. */
export function lineOf(text: string): Line | undefined {
  if (/^\s*(#.*)?$/.test(text)) return undefined;
  const [, spaces = '', marks = '', key, value = ''] = LINE.exec(text) ?? [];
  const dashes: number[] = [];
  for (const { index } of marks.matchAll(/-/g)) dashes.push(spaces.length + index);
  return { dashes, column: spaces.length + marks.length, key: key?.replace(/^["']|["']$/g, ''), value };
}

/** Finds the fields around a line by indentation, because a text that is being typed is often invalid YAML. */
export function cursorAt(document: Lines, number: number): Cursor {
  const text = document.line(number).text;
  const own = lineOf(text) ?? { dashes: [], column: text.replace(/#.*/, '').length, key: undefined, value: '' };
  const siblings = new Set<string>();
  const parents: (string | number)[] = [];
  let column = own.column;
  let isItem = false;
  const leave = (dashes: readonly number[]): void => {
    for (const dash of [...dashes].reverse()) {
      if (dash >= column) continue;
      parents.unshift(0);
      column = dash;
      isItem = true;
    }
  };
  leave(own.dashes);
  for (let at = number - 1; at >= Math.max(1, number - FARTHEST) && (column > 0 || isItem); at--) {
    const line = lineOf(document.line(at).text);
    if (line === undefined) continue;
    const isParent = line.column < column || (isItem && line.column === column && line.dashes.length === 0);
    if (isParent && line.key !== undefined) {
      parents.unshift(line.key);
      column = line.column;
      isItem = false;
    } else if (line.column === column && line.key !== undefined && parents.length === 0) siblings.add(line.key);
    if (!isItem || line.dashes.some((dash) => dash < column)) leave(line.dashes);
  }
  if (column === 0 && parents.length === 0)
    for (let at = number - 1; at >= 1; at--) addKey(siblings, document.line(at).text, 0);
  for (let at = number + 1; at <= Math.min(document.lines, number + FARTHEST); at++) {
    const line = lineOf(document.line(at).text);
    if (line === undefined) continue;
    if (line.column < own.column || line.dashes.some((dash) => dash < own.column)) break;
    addKey(siblings, document.line(at).text, own.column);
  }
  return { parents, key: own.key, column: own.column, siblings };
}

function addKey(keys: Set<string>, text: string, column: number): void {
  const line = lineOf(text);
  if (line?.column === column && line.key !== undefined) keys.add(line.key);
}
