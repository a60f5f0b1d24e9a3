import { changes } from './exact.js';

/** Why a text is not JSON, and at which offset. */
export interface JsonFault {
  readonly offset: number;
  readonly message: string;
}

export interface JsonScan {
  readonly fault: JsonFault | undefined;
  /** Paths of repeated members, such as `spec.title` or `spec.items[2].name`. */
  readonly duplicates: readonly string[];
  /** The first number that JSON.parse changes. */
  readonly inexact?: InexactNumber | undefined;
}

export interface InexactNumber {
  readonly path: string;
  readonly text: string;
}

/** A body of 3 MiB could have half a million repeated members. */
const MAX_DUPLICATES = 100;

const WHITE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const LITERAL = /true|false|null/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/**
 * Finds the first mistake of a text that JSON.parse refuses, or its repeated keys and the first number that JSON.parse changes. It is slow and
 * recursive, so it runs only after the depth was checked and something was found wrong. By hand because JSON parsers keep the last of repeated keys
 * without a report.
 */
export function scanJson(text: string): JsonScan {
  const scanner = new Scanner(text);
  try {
    scanner.document();
    return { fault: undefined, duplicates: [...scanner.duplicates], inexact: scanner.inexact };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { fault: { offset: error.offset, message: error.message }, duplicates: [] };
  }
}

class Fault extends Error {
  readonly offset: number;

  constructor(offset: number, message: string) {
    super(message);
    this.offset = offset;
  }
}

class Scanner {
  readonly duplicates = new Set<string>();
  inexact: InexactNumber | undefined;
  readonly #text: string;
  readonly #path: (string | number)[] = [];
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): void {
    this.#value();
    this.#skip(WHITE);
    if (this.#at < this.#text.length) this.#fail('expected the end of the body');
  }

  #value(): void {
    this.#skip(WHITE);
    const char = this.#text[this.#at];
    if (char === '{') this.#object();
    else if (char === '[') this.#array();
    else if (char === '"') this.#string();
    else if (!this.#number() && !this.#skip(LITERAL)) this.#fail('expected a value');
  }

  #number(): boolean {
    const start = this.#at;
    if (!this.#skip(NUMBER)) return false;
    const text = this.#text.slice(start, this.#at);
    if (this.inexact === undefined && changes(text, Number(text))) this.inexact = { path: fieldPath(this.#path), text };
    return true;
  }

  #object(): void {
    const keys = new Set<string>();
    this.#at++;
    if (this.#take('}')) return;
    do {
      this.#skip(WHITE);
      if (this.#text[this.#at] !== '"') this.#fail('expected a key in double quotes');
      const key = this.#string();
      this.#path.push(key);
      if (keys.has(key)) this.#duplicate();
      keys.add(key);
      if (!this.#take(':')) this.#fail("expected ':' after a key");
      this.#value();
      this.#path.pop();
    } while (this.#take(','));
    if (!this.#take('}')) this.#fail("expected ',' or '}' after a member");
  }

  #array(): void {
    this.#at++;
    if (this.#take(']')) return;
    let index = 0;
    do {
      this.#path.push(index++);
      this.#value();
      this.#path.pop();
    } while (this.#take(','));
    if (!this.#take(']')) this.#fail("expected ',' or ']' after an element");
  }

  #string(): string {
    const start = this.#at++;
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (Number.isNaN(code)) this.#fail('a string is not closed');
      if (code < 0x20) this.#fail('a control character in a string must be escaped');
      if (code === 0x5c) {
        if (!this.#skip(ESCAPE)) this.#fail('unknown escape in a string');
        continue;
      }
      this.#at++;
      if (code === 0x22) return JSON.parse(this.#text.slice(start, this.#at)) as string;
    }
  }

  #duplicate(): void {
    if (this.duplicates.size < MAX_DUPLICATES) this.duplicates.add(fieldPath(this.#path));
  }

  #take(char: string): boolean {
    this.#skip(WHITE);
    if (this.#text[this.#at] !== char) return false;
    this.#at++;
    return true;
  }

  #skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    if (!pattern.test(this.#text)) return false;
    this.#at = pattern.lastIndex;
    return true;
  }

  #fail(message: string): never {
    const found = this.#text.codePointAt(this.#at);
    const what = found === undefined ? 'the body ends here' : `found ${JSON.stringify(String.fromCodePoint(found))}`;
    throw new Fault(this.#at, `${message}, ${what}`);
  }
}

/** A path as Kubernetes writes it: `spec.items[2].name`. */
export function fieldPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (text, step) => (typeof step === 'number' ? `${text}[${step}]` : `${text}${text === '' ? '' : '.'}${String(step)}`),
    '',
  );
}
