import { SyntaxProblem } from './source.js';

export type TokenKind = 'name' | 'escaped' | 'int' | 'uint' | 'double' | 'string' | 'bytes' | 'mark' | 'end';

export interface Token {
  readonly kind: TokenKind;
  /** As it is in the source. */
  readonly text: string;
  readonly at: number;
}

const SPACE = /(?:[\t \r\n\f]|\/\/[^\n]*)+/y;
const NAME = /[A-Za-z_][A-Za-z0-9_]*/y;
const ESCAPED = /`[A-Za-z0-9_.\-/ ]+`/y;
const UINT = /(?:0x[0-9a-fA-F]+|\d+)[uU]/y;
const DOUBLE = /\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\.\d+(?:[eE][+-]?\d+)?/y;
const INT = /0x[0-9a-fA-F]+|\d+/y;
const PREFIX = /(?:[bB][rR]?|[rR][bB]?)?(?="|')/y;
const MARK = /==|!=|<=|>=|&&|\|\||[<>[\]{}().,\-!?:+*/%]/y;

/** The tokens of an expression, the last of which is its end. Takes linear time. */
export function tokensOf(source: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = skip(source, 0);
  while (at < source.length) {
    const token = tokenAt(source, at);
    tokens.push(token);
    at = skip(source, at + token.text.length);
  }
  tokens.push({ kind: 'end', text: '<EOF>', at: source.length });
  return tokens;
}

function skip(source: string, at: number): number {
  return at + (match(SPACE, source, at)?.length ?? 0);
}

function tokenAt(source: string, at: number): Token {
  const text = textToken(source, at);
  if (text !== undefined) return text;
  for (const [kind, pattern] of PATTERNS) {
    const found = match(pattern, source, at);
    if (found !== undefined) return { kind, text: found, at };
  }
  const character = String.fromCodePoint(source.codePointAt(at) ?? 0);
  throw new SyntaxProblem(at, `Syntax error: token recognition error at: '${character}'`);
}

const PATTERNS: readonly (readonly [TokenKind, RegExp])[] = [
  ['name', NAME],
  ['escaped', ESCAPED],
  ['double', DOUBLE],
  ['uint', UINT],
  ['int', INT],
  ['mark', MARK],
];

function match(pattern: RegExp, source: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(source)?.[0];
}

/** A string or bytes, with its quotes and its prefix. */
function textToken(source: string, at: number): Token | undefined {
  const prefix = match(PREFIX, source, at);
  if (prefix === undefined) return undefined;
  const start = at + prefix.length;
  const quote = source[start] ?? '';
  const three = quote.repeat(3);
  const isLong = source.startsWith(three, start);
  const isRaw = /r/i.test(prefix);
  const end = endOfText(source, start + (isLong ? 3 : 1), isLong ? three : quote, isRaw);
  if (end === undefined) {
    throw new SyntaxProblem(at, `Syntax error: token recognition error at: '${source.slice(at)}'`);
  }
  return { kind: /b/i.test(prefix) ? 'bytes' : 'string', text: source.slice(at, end), at };
}

function endOfText(source: string, from: number, quote: string, isRaw: boolean): number | undefined {
  for (let i = from; i < source.length; i++) {
    if (source.startsWith(quote, i)) return i + quote.length;
    const c = source[i];
    if (c === '\\' && !isRaw) i++;
    else if (quote.length === 1 && (c === '\n' || c === '\r')) return undefined;
  }
  return undefined;
}
