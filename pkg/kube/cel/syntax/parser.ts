import type { Expr, MapEntry } from './ast.js';
import { type Token, type TokenKind, tokensOf } from './lexer.js';
import { numberOf, textOf } from './literals.js';
import { expanded } from './macros.js';
import { deeper, enter, expect, is, peek, type Reader, take, takeMark, unexpected } from './reader.js';
import { SyntaxProblem } from './source.js';

const MAX_CHARACTERS = 100_000;

const PRIMARY =
  "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";

const RESERVED = new Set(
  'as break const continue else false for function if import in let loop package namespace null return true var void while'.split(
    ' ',
  ),
);

/** The expression of the source. Throws SyntaxProblem. */
export function parse(source: string): Expr {
  const size = source.length > MAX_CHARACTERS ? [...source].length : source.length;
  if (size > MAX_CHARACTERS) {
    throw new SyntaxProblem(-1, `expression code point size exceeds limit: size: ${size}, limit ${MAX_CHARACTERS}`);
  }
  const reader: Reader = { tokens: tokensOf(source), next: 0, depth: 0 };
  const result = expression(reader);
  const token = peek(reader);
  if (token.kind !== 'end') throw unexpected(token, '<EOF>');
  return result;
}

function expression(r: Reader): Expr {
  return deeper(r, () => {
    const condition = logic(r, '||');
    const op = takeMark(r, '?');
    if (op === undefined) return condition;
    const yes = logic(r, '||');
    expect(r, ':');
    const no = expression(r);
    return { kind: 'call', at: op.at, name: '_?_:_', args: [condition, yes, no] };
  });
}

function logic(r: Reader, op: '||' | '&&'): Expr {
  const read = () => (op === '||' ? logic(r, '&&') : binary(r, 0));
  const first = read();
  let at: number | undefined;
  const args = [first];
  for (let token = takeMark(r, op); token !== undefined; token = takeMark(r, op)) {
    at = token.at;
    args.push(read());
  }
  return at === undefined ? first : { kind: 'call', at, name: `_${op}_`, args };
}

const LEVELS: readonly (readonly string[])[] = [
  ['<', '<=', '>=', '>', '==', '!=', 'in'],
  ['+', '-'],
  ['*', '/', '%'],
];

function binary(r: Reader, level: number): Expr {
  const ops = LEVELS[level];
  if (ops === undefined) return unary(r);
  let left = binary(r, level + 1);
  const depth = r.depth;
  for (let op = operator(r, ops); op !== undefined; op = operator(r, ops)) {
    enter(r);
    const args = [left, binary(r, level + 1)];
    left = { kind: 'call', at: op.at, name: op.text === 'in' ? '@in' : `_${op.text}_`, args };
  }
  r.depth = depth;
  return left;
}

function operator(r: Reader, ops: readonly string[]): Token | undefined {
  const { kind, text } = peek(r);
  const isOperator = (kind === 'mark' || text === 'in') && kind !== 'string' && ops.includes(text);
  return isOperator ? take(r) : undefined;
}

function unary(r: Reader): Expr {
  const first = peek(r);
  const mark = is(r, '!') ? '!' : is(r, '-') ? '-' : undefined;
  if (mark === undefined) return member(r);
  let count = 0;
  while (is(r, mark)) {
    // The sign of a number belongs to it.
    const after = r.tokens[r.next + 1];
    if (mark === '-' && (after?.kind === 'int' || after?.kind === 'double')) {
      if (count > 0) break;
      return member(r);
    }
    take(r);
    count++;
  }
  const operand = member(r);
  return count % 2 === 0 ? operand : { kind: 'call', at: first.at, name: `${mark}_`, args: [operand] };
}

function member(r: Reader): Expr {
  let operand = primary(r);
  const depth = r.depth;
  for (;;) {
    const open = takeMark(r, '.') ?? takeMark(r, '[');
    if (open === undefined) break;
    enter(r);
    operand = open.text === '.' ? selection(r, operand, open) : index(r, operand, open);
  }
  r.depth = depth;
  return operand;
}

function selection(r: Reader, operand: Expr, dot: Token): Expr {
  const isOptional = takeMark(r, '?') !== undefined;
  const name = take(r);
  if (name.kind === 'escaped') return escapedSelection(operand, name, dot, isOptional);
  if (name.kind !== 'name' || isKeyword(name.text)) throw memberProblem(r, name, isOptional);
  if (isOptional) {
    const field: Expr = { kind: 'literal', at: name.at, value: name.text };
    return { kind: 'call', at: dot.at, name: '_?._', args: [operand, field] };
  }
  const open = takeMark(r, '(');
  if (open === undefined) return { kind: 'select', at: dot.at, operand, field: name.text, test: false };
  const args = expressions(r, ')');
  return (
    expanded(open.at, name.text, operand, args) ?? { kind: 'call', at: open.at, name: name.text, target: operand, args }
  );
}

/** A field whose name is in backquotes. */
function escapedSelection(operand: Expr, name: Token, dot: Token, isOptional: boolean): Expr {
  const field = name.text.slice(1, -1);
  if (!isOptional) return { kind: 'select', at: dot.at, operand, field, test: false };
  const literal: Expr = { kind: 'literal', at: name.at, value: field };
  return { kind: 'call', at: dot.at, name: '_?._', args: [operand, literal] };
}

function memberProblem(r: Reader, name: Token, isOptional: boolean): SyntaxProblem {
  if (name.kind === 'end' || isOptional) return unexpected(name, '{IDENTIFIER, ESC_IDENTIFIER}');
  const text = `${r.tokens[r.next - 2]?.text ?? '.'}${name.text}`;
  return new SyntaxProblem(name.at, `Syntax error: no viable alternative at input '${text}'`);
}

/** Words that are tokens of their own. */
function isKeyword(text: string): boolean {
  return text === 'in' || text === 'true' || text === 'false' || text === 'null';
}

function index(r: Reader, operand: Expr, open: Token): Expr {
  const name = takeMark(r, '?') === undefined ? '_[_]' : '_[?_]';
  const key = expression(r);
  expect(r, ']');
  return { kind: 'call', at: open.at, name, args: [operand, key] };
}

/** The arguments up to the mark that closes them. */
function expressions(r: Reader, close: string): readonly Expr[] {
  const results: Expr[] = [];
  if (takeMark(r, close) !== undefined) return results;
  do results.push(expression(r));
  while (takeMark(r, ',') !== undefined);
  expect(r, close);
  return results;
}

function primary(r: Reader): Expr {
  const token = take(r);
  const { kind, text, at } = token;
  if (kind === 'string' || kind === 'bytes') return { kind: 'literal', at, value: textOf(token) };
  if (NUMBERS.has(kind)) return { kind: 'literal', at, value: numberOf(token, false, at) };
  if (kind === 'name') return named(r, token, '');
  if (kind === 'mark') {
    if (text === '-') return { kind: 'literal', at, value: numberOf(take(r), true, at) };
    if (text === '(') return nested(r);
    if (text === '[') return list(r, at);
    if (text === '{') return map(r, at);
    const name = peek(r);
    if (text === '.' && name.kind === 'name') return named(r, take(r), '.');
  }
  throw unexpected(token, PRIMARY);
}

const NUMBERS: ReadonlySet<TokenKind> = new Set(['int', 'uint', 'double']);

function nested(r: Reader): Expr {
  const inner = expression(r);
  expect(r, ')');
  return inner;
}

function named(r: Reader, token: Token, dot: string): Expr {
  const { text, at } = token;
  if (dot === '') {
    if (text === 'true' || text === 'false') return { kind: 'literal', at, value: text === 'true' };
    if (text === 'null') return { kind: 'literal', at, value: null };
    if (text === 'in') throw unexpected(token, PRIMARY);
  }
  if (isStruct(r)) return struct(r, `${dot}${text}`);
  if (RESERVED.has(text)) throw new SyntaxProblem(at, `reserved identifier: ${text}`);
  const open = takeMark(r, '(');
  if (open === undefined) return { kind: 'ident', at, name: `${dot}${text}` };
  const args = expressions(r, ')');
  const name = `${dot}${text}`;
  return expanded(open.at, name, undefined, args) ?? { kind: 'call', at: open.at, name, args };
}

/** Whether `a.b.Name{` follows. */
function isStruct(r: Reader): boolean {
  let i = r.next;
  while (isMark(r.tokens[i], '.') && r.tokens[i + 1]?.kind === 'name') i += 2;
  return isMark(r.tokens[i], '{');
}

function isMark(token: Token | undefined, mark: string): boolean {
  return token?.kind === 'mark' && token.text === mark;
}

function struct(r: Reader, first: string): Expr {
  let name = first;
  while (takeMark(r, '.') !== undefined) name += `.${take(r).text}`;
  const open = take(r);
  const values: Expr[] = [];
  while (!is(r, '}')) {
    takeMark(r, '?');
    const field = take(r);
    if (field.kind !== 'name' && field.kind !== 'escaped') throw unexpected(field, '{IDENTIFIER, ESC_IDENTIFIER}');
    expect(r, ':');
    values.push(expression(r));
    if (takeMark(r, ',') === undefined) break;
  }
  expect(r, '}');
  return { kind: 'struct', at: open.at, name, values };
}

function list(r: Reader, at: number): Expr {
  const elements: Expr[] = [];
  const optional: boolean[] = [];
  while (!is(r, ']')) {
    optional.push(takeMark(r, '?') !== undefined);
    elements.push(expression(r));
    if (takeMark(r, ',') === undefined) break;
  }
  expect(r, ']');
  return { kind: 'list', at, elements, optional };
}

function map(r: Reader, at: number): Expr {
  const entries: MapEntry[] = [];
  while (!is(r, '}')) {
    const optional = takeMark(r, '?') !== undefined;
    const key = expression(r);
    const colon = expect(r, ':');
    entries.push({ at: colon.at, key, value: expression(r), optional });
    if (takeMark(r, ',') === undefined) break;
  }
  expect(r, '}');
  return { kind: 'map', at, entries };
}
