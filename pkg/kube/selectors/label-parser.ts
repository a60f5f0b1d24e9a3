import { labelValueProblems, qualifiedNameProblems } from '../meta/names.js';
import { badRequest } from '../status/errors.js';

/** A requirement on a label. `values` is empty for exists and !, and has one decimal number for > and <. */
export interface Requirement {
  readonly key: string;
  readonly operator: 'exists' | '!' | '=' | '==' | '!=' | 'in' | 'notin' | '>' | '<';
  readonly values: readonly string[];
}

const END = '';
const TOKEN = /[ \t\r\n]*(==|!=|[=!(),<>]|[^ \t\r\n=!(),<>]+)/y;
const SYMBOLS: ReadonlySet<string> = new Set(['==', '!=', '=', '!', '(', ')', ',', '<', '>', END]);

/**
 * Parses a label selector with the grammar and the error messages of k8s.io/apimachinery/pkg/labels. By hand because no
 * maintained package has this grammar.
 */
export function parseRequirements(text: string): readonly Requirement[] {
  const tokens = new Tokens(text);
  const requirements: Requirement[] = [];
  if (tokens.peek() === END) return requirements;
  for (;;) {
    if (!startsRequirement(tokens.peek())) {
      const expected = requirements.length === 0 ? "!, identifier, or 'end of string'" : "identifier after ','";
      throw badRequest(`found '${shown(tokens.peek())}', expected: ${expected}`);
    }
    requirements.push(parseRequirement(tokens));
    const next = tokens.take();
    if (next === END) return requirements;
    if (next !== ',') throw badRequest(`found '${shown(next)}', expected: ',' or 'end of string'`);
  }
}

/** `in` and `notin` are keywords only in the place of an operator; elsewhere they are ordinary keys and values. */
class Tokens {
  readonly #tokens: readonly string[];
  #next = 0;

  constructor(text: string) {
    const tokens: string[] = [];
    TOKEN.lastIndex = 0;
    for (let match = TOKEN.exec(text); match !== null; match = TOKEN.exec(text)) tokens.push(match[1] ?? END);
    this.#tokens = tokens;
  }

  peek(): string {
    return this.#tokens[this.#next] ?? END;
  }

  take(): string {
    return this.#tokens[this.#next++] ?? END;
  }
}

const isIdentifier = (token: string): boolean => !SYMBOLS.has(token);
const startsRequirement = (token: string): boolean => token === '!' || isIdentifier(token);

function parseRequirement(tokens: Tokens): Requirement {
  const negated = tokens.peek() === '!';
  if (negated) tokens.take();
  const key = tokens.take();
  if (!isIdentifier(key)) throw unparsable(`found '${shown(key)}', expected: identifier`);
  for (const problem of qualifiedNameProblems(key)) throw unparsable(`Invalid value: ${quoted(key)}: ${problem}`);
  if (negated) return { key, operator: '!', values: [] };
  if (tokens.peek() === END || tokens.peek() === ',') return { key, operator: 'exists', values: [] };
  const operator = parseOperator(tokens.take());
  const values = operator === 'in' || operator === 'notin' ? parseValues(tokens) : [parseValue(tokens)];
  checkValues(key, operator, values);
  return { key, operator, values };
}

function parseOperator(token: string): Requirement['operator'] {
  switch (token) {
    case 'in':
    case 'notin':
    case '=':
    case '==':
    case '!=':
    case '>':
    case '<':
      return token;
    default:
      throw unparsable(`found '${shown(token)}', expected: in, notin, =, ==, !=, gt, lt`);
  }
}

/** One value; a missing value is the empty text. */
function parseValue(tokens: Tokens): string {
  if (tokens.peek() === END || tokens.peek() === ',') return '';
  const value = tokens.take();
  if (!isIdentifier(value)) throw unparsable(`found '${shown(value)}', expected: identifier`);
  return value;
}

/** `(a,b)`; nothing between commas or parentheses is the empty value. */
function parseValues(tokens: Tokens): readonly string[] {
  const opening = tokens.take();
  if (opening !== '(') throw unparsable(`found '${shown(opening)}' expected: '('`);
  const values: string[] = [];
  for (;;) {
    values.push(isIdentifier(tokens.peek()) ? tokens.take() : '');
    const next = tokens.take();
    if (next === ')') return values;
    if (next !== ',') throw unparsable(`found '${shown(next)}', expected: ',' or ')'`);
  }
}

function checkValues(key: string, operator: Requirement['operator'], values: readonly string[]): void {
  for (const value of values) {
    if ((operator === '>' || operator === '<') && parseInt64(value) === undefined) {
      throw unparsable(
        `values[0]: Invalid value: ${quoted(value)}: for 'Gt', 'Lt' operators, the value must be an integer`,
      );
    }
    for (const problem of labelValueProblems(value)) {
      throw unparsable(`values[0][${key}]: Invalid value: ${quoted(value)}: ${problem}`);
    }
  }
}

/** A decimal integer of 64 bits: `>` and `<` compare no other numbers. */
export function parseInt64(text: string): bigint | undefined {
  if (!/^[+-]?[0-9]{1,63}$/.test(text)) return undefined;
  const value = BigInt(text.replace('+', ''));
  return BigInt.asIntN(64, value) === value ? value : undefined;
}

const shown = (token: string): string => token.slice(0, 100);
const quoted = (value: string): string => JSON.stringify(shown(value));
const unparsable = (detail: string): Error => badRequest(`unable to parse requirement: ${detail}`);
