import { invalidFilter } from './errors.js';

const COMPARISONS = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const;
export type Comparison = (typeof COMPARISONS)[number];
export type Compared = string | number | boolean | null;

/** A filter of RFC 7644 §3.4.2.2. Paths are as they were sent. */
export type Filter =
  | { readonly op: 'and' | 'or'; readonly left: Filter; readonly right: Filter }
  | { readonly op: 'not'; readonly filter: Filter }
  | { readonly op: 'pr'; readonly path: string }
  | { readonly op: Comparison; readonly path: string; readonly value: Compared }
  /** One value of a multi-valued attribute fulfils all of the filter. */
  | { readonly op: 'has'; readonly path: string; readonly filter: Filter };

/** The path of an operation of a PATCH (RFC 7644 §3.5.2): `emails[type eq "work"].value`. */
export interface ValuePath {
  readonly path: string;
  readonly filter?: Filter;
  readonly sub?: string;
}

const LONGEST = 4_000;
/** Filters inside of each other, and comparisons. */
const DEEPEST = 20;
const MOST_TERMS = 100;

const TOKEN = /\s*(?:([()[\]])|("(?:[^"\\]|\\.)*")|([^\s()[\]"]+))/y;
const NAME = /^[a-zA-Z$][\w$:.-]*$/;

function tokensOf(text: string): string[] {
  if (text.length > LONGEST) throw invalidFilter(`a filter has at most ${LONGEST} characters`);
  const tokens: string[] = [];
  const end = text.trimEnd().length;
  for (TOKEN.lastIndex = 0; TOKEN.lastIndex < end; ) {
    const [, ...parts] = TOKEN.exec(text) ?? [];
    const token = parts.find((part) => part !== undefined);
    if (token === undefined) throw invalidFilter('the filter has a text without an end');
    tokens.push(token);
  }
  return tokens;
}

/** Throws ScimError invalidFilter. */
export function parseFilter(text: string): Filter {
  const parser = new Parser(tokensOf(text));
  const filter = parser.or(0);
  parser.end();
  return filter;
}

/** Throws ScimError invalidFilter. */
export function parseValuePath(text: string): ValuePath {
  const parser = new Parser(tokensOf(text));
  const path = parser.valuePath();
  parser.end();
  return path;
}

class Parser {
  readonly #tokens: readonly string[];
  #at = 0;
  #terms = 0;

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
  }

  end(): void {
    const rest = this.#tokens[this.#at];
    if (rest !== undefined) throw invalidFilter(`${JSON.stringify(rest)} was not expected`);
  }

  or(depth: number): Filter {
    let left = this.#and(depth);
    while (this.#takes('or')) left = { op: 'or', left, right: this.#and(depth) };
    return left;
  }

  valuePath(): ValuePath {
    const path = this.#name();
    if (!this.#takes('[')) return { path };
    const filter = this.#closed(1, ']');
    const sub = this.#sub();
    return { path, filter, ...(sub !== undefined && { sub }) };
  }

  #and(depth: number): Filter {
    let left = this.#term(depth);
    while (this.#takes('and')) left = { op: 'and', left, right: this.#term(depth) };
    return left;
  }

  #term(depth: number): Filter {
    if (depth > DEEPEST) throw invalidFilter(`filters may be nested ${DEEPEST} times`);
    if (++this.#terms > MOST_TERMS) throw invalidFilter(`a filter has at most ${MOST_TERMS} comparisons`);
    if (this.#takes('(')) return this.#closed(depth + 1, ')');
    if (this.#takesNot()) return { op: 'not', filter: this.#closed(depth + 1, ')') };
    const path = this.#name();
    if (!this.#takes('[')) return this.#comparison(path);
    const filter = this.#closed(depth + 1, ']');
    const sub = this.#sub();
    // Not in the grammar, but Entra ID sends it: emails[type eq "work"].value eq "a@example.com"
    return {
      op: 'has',
      path,
      filter: sub === undefined ? filter : { op: 'and', left: filter, right: this.#comparison(sub) },
    };
  }

  #closed(depth: number, bracket: string): Filter {
    const filter = this.or(depth);
    if (!this.#takes(bracket)) throw invalidFilter(`${JSON.stringify(bracket)} is missing`);
    return filter;
  }

  #takesNot(): boolean {
    if (this.#tokens[this.#at + 1] !== '(' || !this.#takes('not')) return false;
    return this.#takes('(');
  }

  #comparison(path: string): Filter {
    const op = (this.#tokens[this.#at++] ?? '').toLowerCase();
    if (op === 'pr') return { op, path };
    const comparison = COMPARISONS.find((candidate) => candidate === op);
    if (comparison === undefined)
      throw invalidFilter(`${JSON.stringify(op)} is no operator: use ${COMPARISONS.join(', ')} or pr`);
    return { op: comparison, path, value: this.#value() };
  }

  #value(): Compared {
    const token = this.#tokens[this.#at++] ?? '';
    const text = /^(true|false|null)$/i.test(token) ? token.toLowerCase() : token;
    if (/^("|-?\d|true$|false$|null$)/.test(text)) {
      try {
        return JSON.parse(text) as Compared;
      } catch {
        // The message below tells what is wrong.
      }
    }
    throw invalidFilter(`${JSON.stringify(token)} is no value: texts are in double quotes`);
  }

  #name(): string {
    const token = this.#tokens[this.#at++] ?? '';
    if (!NAME.test(token)) throw invalidFilter(`${JSON.stringify(token)} is no attribute`);
    return token;
  }

  /** `.value` after a bracket. */
  #sub(): string | undefined {
    const token = this.#tokens[this.#at];
    if (token === undefined || !/^\.[a-zA-Z$][\w$-]*$/.test(token)) return undefined;
    this.#at++;
    return token.slice(1);
  }

  #takes(word: string): boolean {
    if (this.#tokens[this.#at]?.toLowerCase() !== word) return false;
    this.#at++;
    return true;
  }
}
