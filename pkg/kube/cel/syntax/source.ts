/** What is wrong with an expression, and where: an index into the source. */
export interface Problem {
  readonly at: number;
  readonly message: string;
}

/** An expression cannot be read. */
export class SyntaxProblem extends Error {
  readonly at: number;

  constructor(at: number, message: string) {
    super(message);
    this.at = at;
  }
}

const MAX_SHOWN = 100;
const MAX_SNIPPET = 16_384;

/** All problems of an expression in the words of cel-go, each with its line and a mark below the place. */
export function displayProblems(source: string, problems: readonly Problem[]): string {
  const lines = source.split('\n');
  const sorted = problems
    .slice(0, MAX_SHOWN)
    .map(({ at, message }) => ({ message, ...positionOf(source, at) }))
    .sort((a, b) => a.line - b.line || a.column - b.column)
    .map(({ line, column, message }) => display(lines[line - 1] ?? '', line, column, message));
  const more = problems.length - MAX_SHOWN;
  return (more > 0 ? [...sorted, `${more} more errors were truncated`] : sorted).join('\n');
}

function display(text: string, line: number, column: number, message: string): string {
  const head = `ERROR: <input>:${line}:${column + 1}: ${message}`;
  const snippet = text.replaceAll('\t', ' ');
  const characters = [...snippet];
  if (characters.length > MAX_SNIPPET) return head;
  const marks = characters.slice(0, column).map((c) => (isWide(c) ? '．' : '.'));
  return `${head}\n | ${snippet}\n | ${marks.join('')}${isWide(characters[column] ?? '') ? '＾' : '^'}`;
}

/** The line from 1, and the column from 0 in characters. */
function positionOf(source: string, at: number): { readonly line: number; readonly column: number } {
  const before = source.slice(0, Math.max(0, at));
  const start = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length, column: [...before.slice(start)].length };
}

function isWide(character: string): boolean {
  return (character.codePointAt(0) ?? 0) > 0x7f;
}
