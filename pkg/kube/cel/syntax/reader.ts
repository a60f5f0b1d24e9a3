import type { Token } from './lexer.js';
import { SyntaxProblem } from './source.js';

/** As in cel-go. A deeper tree would overflow the stack of functions that walk it. */
const MAX_DEPTH = 250;

/** What is read next, and how deep the reader is. */
export interface Reader {
  readonly tokens: readonly Token[];
  next: number;
  depth: number;
}

export function peek(r: Reader): Token {
  return r.tokens[r.next] as Token;
}

export function is(r: Reader, mark: string): boolean {
  const { kind, text } = peek(r);
  return kind === 'mark' && text === mark;
}

export function take(r: Reader): Token {
  const token = peek(r);
  if (token.kind !== 'end') r.next++;
  return token;
}

export function takeMark(r: Reader, mark: string): Token | undefined {
  return is(r, mark) ? take(r) : undefined;
}

export function expect(r: Reader, mark: string): Token {
  const token = takeMark(r, mark);
  if (token === undefined) throw missing(peek(r), `'${mark}'`);
  return token;
}

export function unexpected(token: Token, expected: string): SyntaxProblem {
  return new SyntaxProblem(token.at, `Syntax error: mismatched input '${token.text}' expecting ${expected}`);
}

function missing(token: Token, expected: string): SyntaxProblem {
  return token.kind === 'end'
    ? unexpected(token, expected)
    : new SyntaxProblem(token.at, `Syntax error: missing ${expected} at '${token.text}'`);
}

/** Counts the levels of the tree while `read` runs. */
export function deeper<T>(r: Reader, read: () => T): T {
  enter(r);
  const result = read();
  r.depth--;
  return result;
}

export function enter(r: Reader): void {
  r.depth++;
  if (r.depth > MAX_DEPTH) throw new SyntaxProblem(-1, `expression recursion limit exceeded: ${MAX_DEPTH}`);
}
