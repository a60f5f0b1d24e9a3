import { exactNumber } from '../json/exact.js';
import { ESCAPES } from './escapes.js';
import { type Bound, JsonPathError, type Path, type PathNode } from './json-path-nodes.js';

/**
 * Reads the paths of kubectl and of printer columns (k8s.io/client-go/util/jsonpath): what would be between the braces
 * of a template.
 */

interface Input {
  readonly text: string;
  offset: number;
}

const isTerminator = (char: string | undefined): boolean => char === undefined || ' \t\r\n.,[]$@{}'.includes(char);

/** Throws JsonPathError. */
export function parsePath(text: string): Path {
  const input: Input = { text: `${text}}`, offset: 0 };
  const nodes: PathNode[] = [];
  for (;;) {
    const { offset } = input;
    const char = input.text[offset];
    if (char === undefined || char === '\n' || char === '\r') throw new JsonPathError('unclosed action');
    if (char === '}') {
      checkRest(input.text.slice(offset + 1));
      return nodes;
    }
    if (' @$'.includes(char)) input.offset++;
    else nodes.push(...nodesAt(input, char, nodes.at(-1)));
  }
}

/** What follows a brace in the path. It gives no values, but must be a template, too. */
function checkRest(text: string): void {
  const open = text.indexOf('{');
  if (open >= 0) parsePath(text.slice(open + 1, -1));
}

function nodesAt(input: Input, char: string, last: PathNode | undefined): readonly PathNode[] {
  const { text, offset } = input;
  if (text.startsWith('[?(', offset)) return [filter(input)];
  if (text.startsWith('..', offset)) return recursive(input, last);
  if (char === '[') return brackets(input);
  if (char === '"' || char === "'") return [quotedText(input, char)];
  if (char === '.') return [field(input, offset + 1)];
  if (/[-+\p{Nd}]/u.test(char)) return [number(input)];
  if (/[\p{L}_]/u.test(char)) return [word(input)];
  throw new JsonPathError(`unrecognized character in action: ${char}`);
}

function recursive(input: Input, last: PathNode | undefined): readonly PathNode[] {
  if (last?.type === 'recursive') throw new JsonPathError('invalid multiple recursive descent');
  input.offset += 2;
  const next = input.text[input.offset] ?? '';
  return [{ type: 'recursive' }, ...(/[\p{L}\p{Nd}_]/u.test(next) ? [field(input, input.offset)] : [])];
}

/** A backslash makes the next character part of the name. */
function field(input: Input, start: number): PathNode {
  let end = start;
  while (!isTerminator(input.text[end])) end += input.text[end] === '\\' ? 2 : 1;
  const name = input.text.slice(start, end);
  input.offset = Math.min(end, input.text.length);
  return name === '*' ? { type: 'wildcard' } : { type: 'field', name: name.replaceAll('\\', '') };
}

function word(input: Input): PathNode {
  const start = input.offset;
  while (!isTerminator(input.text[input.offset])) input.offset++;
  const text = input.text.slice(start, input.offset);
  // Such as range and end, which are for templates only.
  if (text !== 'true' && text !== 'false') return { type: 'unknown' };
  return { type: 'literal', value: text === 'true' };
}

function number(input: Input): PathNode {
  const start = input.offset++;
  while (/[.\p{Nd}]/u.test(input.text[input.offset] ?? '')) input.offset++;
  const text = input.text.slice(start, input.offset);
  if (/^[-+]?\d+$/.test(text)) return { type: 'literal', value: exactNumber(text) ?? Number(text) };
  if (/^[-+]?(?:\d+\.\d*|\.\d+)$/.test(text)) return { type: 'literal', value: Number(text), isFloat: true };
  throw new JsonPathError(`cannot parse number ${text}`);
}

function quotedText(input: Input, quote: string): PathNode {
  const start = input.offset;
  let end = start;
  do {
    end = input.text.indexOf(quote, end + 1);
    const isOpen = end < 0 || input.text.slice(start, end).includes('\n');
    if (isOpen) throw new JsonPathError('unterminated quoted string');
  } while (input.text[end - 1] === '\\');
  input.offset = end + 1;
  return { type: 'literal', value: unquoted(input.text.slice(start + 1, end), quote) };
}

function unquoted(text: string, quote: string): string {
  return text.replace(/\\(?:x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|.|$)/gs, (whole) => {
    const char = whole[1] ?? '';
    if (whole.length > 2) return String.fromCharCode(Number.parseInt(whole.slice(2), 16));
    const meant = char === quote ? quote : Object.hasOwn(ESCAPES, char) ? ESCAPES[char] : undefined;
    if (meant === undefined) throw new JsonPathError(`unquote string ${text} error invalid syntax`);
    return meant;
  });
}

function brackets(input: Input): readonly PathNode[] {
  const end = input.text.indexOf(']', input.offset);
  const text = input.text.slice(input.offset + 1, end);
  if (end < 0 || text.includes('\n')) throw new JsonPathError('unterminated array');
  input.offset = end + 1;
  const parts = text.split(',');
  if (parts.length === 1) return inBrackets(text);
  return [{ type: 'union', paths: parts.map((part) => inBrackets(part.replace(/^ +/, '').trimEnd())) }];
}

/** A name in quotes is read as one after a dot, so that its dots need backslashes. */
function inBrackets(text: string): readonly PathNode[] {
  if (text === '*') return [{ type: 'array', start: bound(''), end: bound(''), step: bound('') }];
  if (text.length >= 2 && text.startsWith("'") && text.indexOf("'", 1) === text.length - 1) {
    return parsePath(`.${text.slice(1, -1)}`);
  }
  const match = /^(-?\d*)(:-?\d*)?(:-?\d*)?$/.exec(text);
  if (match === null) throw new JsonPathError(`invalid array index ${text}`);
  const [, start = '', end, step] = match;
  const from = bound(start);
  const to = end === undefined ? { value: (from.value ?? 0) + 1, isDerived: true } : bound(end.slice(1));
  return [{ type: 'array', start: from, end: to, step: bound(step?.slice(1) ?? '') }];
}

function bound(text: string): Bound {
  if (text === '-') throw new JsonPathError('array index - is not a number');
  return { value: text === '' ? undefined : Number(text) };
}

function filter(input: Input): PathNode {
  const start = input.offset + '[?('.length;
  const end = endOfFilter(input.text, start);
  if (input.text[end + 1] !== ']') throw new JsonPathError('unclosed array expect ]');
  input.offset = end + 2;
  const text = input.text.slice(start, end);
  const first = text.search(/[!<>=]/);
  const run = /^[!<>=]+/.exec(text.slice(Math.max(first, 0)))?.[0].length ?? 0;
  // An operand must follow the operator.
  const length = first + run === text.length ? run - 1 : run;
  if (first <= 0 || length <= 0) return { type: 'filter', left: parsePath(text), operator: 'exists', right: [] };
  const operator = text.slice(first, first + length);
  return {
    type: 'filter',
    left: parsePath(text.slice(0, first)),
    operator,
    right: parsePath(text.slice(first + length)),
  };
}

/** The place of the parenthesis that closes a filter. A parenthesis in quotes does not close it. */
function endOfFilter(text: string, start: number): number {
  let quote: string | undefined;
  let isClosed = false;
  for (let i = start; i < text.length && text[i] !== '\n'; i++) {
    const char = text[i];
    if (char === ')' && (quote !== undefined) === isClosed) return i;
    if (char !== '"' && char !== "'") continue;
    if (quote === undefined) quote = char;
    else if (char === quote && text[i - 1] !== '\\') isClosed = true;
  }
  throw new JsonPathError('unterminated filter');
}
