import { exactNumber } from './exact.js';

/** Why a text is not JSON, and at which offset. */
export interface JsonFault {
  readonly offset: number;
  readonly message: string;
}

export interface JsonScan {
  readonly fault: JsonFault | undefined;
  /** Paths of repeated members, such as `spec.title` or `spec.items[2].name`. */
  readonly duplicates: readonly string[];
  /** The first number that neither a double nor an integer of 64 bits holds. */
  readonly inexact?: InexactNumber | undefined;
  /** What JSON.parse makes of the text, but with exact integers: a bigint where a double would be another number. */
  readonly value?: unknown;
}

export interface InexactNumber {
  readonly path: string;
  readonly text: string;
}

/** A body of 3 MiB could have half a million repeated members. */
const MAX_DUPLICATES = 100;

/** A body may have a name of a megabyte, and a hundred thousand members below it. */
const MAX_PATH = 1000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
const BLANKS = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const LITERAL = /true|false|null/y;
const SIMPLE_ESCAPES: ReadonlySet<number> = new Set([...'"\\/bfnrt'].map((char) => char.charCodeAt(0)));
const UNICODE_ESCAPE = /\\u[0-9a-fA-F]{4}/y;

/**
 * Finds the first mistake of a text that JSON.parse refuses, or its value, its repeated keys and the first number that cannot be kept. It is slower
 * than JSON.parse and recursive, so it runs only after the depth was checked, and something was found wrong or a number is large. By hand because JSON
 * parsers keep the last of repeated keys without a report, and round large integers.
 */
export function scanJson(text: string): JsonScan {
  const scanner = new Scanner(text);
  try {
    const value = scanner.document();
    return { fault: undefined, duplicates: [...scanner.duplicates], inexact: scanner.inexact, value };
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

  document(): unknown {
    const value = this.#value();
    this.#skipBlanks();
    if (this.#at < this.#text.length) this.#fail('expected the end of the body');
    return value;
  }

  #value(): unknown {
    this.#skipBlanks();
    const start = this.#at;
    const char = this.#text[start];
    if (char === '{') return this.#object();
    if (char === '[') return this.#array();
    if (char === '"') return this.#string();
    if (this.#skip(NUMBER)) return this.#number(this.#text.slice(start, this.#at));
    if (!this.#skip(LITERAL)) this.#fail('expected a value');
    return char === 'n' ? null : char === 't';
  }

  #number(text: string): number | bigint {
    const value = exactNumber(text);
    if (value === undefined) this.inexact ??= { path: fieldPath(this.#path), text };
    return value ?? Number(text);
  }

  #object(): Record<string, unknown> {
    /** Each name, and whether it was already reported as repeated. */
    const names = new Map<string, boolean>();
    const members: Record<string, unknown> = {};
    this.#at++;
    if (this.#take('}')) return members;
    do {
      this.#skipBlanks();
      if (this.#text[this.#at] !== '"') this.#fail('expected a key in double quotes');
      const name = this.#string();
      this.#path.push(name);
      const isReported = names.get(name);
      if (isReported === false) this.#duplicate();
      names.set(name, isReported !== undefined);
      if (!this.#take(':')) this.#fail("expected ':' after a key");
      setMember(members, name, this.#value());
      this.#path.pop();
    } while (this.#take(','));
    if (!this.#take('}')) this.#fail("expected ',' or '}' after a member");
    return members;
  }

  #array(): unknown[] {
    const elements: unknown[] = [];
    this.#at++;
    if (this.#take(']')) return elements;
    do {
      this.#path.push(elements.length);
      elements.push(this.#value());
      this.#path.pop();
    } while (this.#take(','));
    if (!this.#take(']')) this.#fail("expected ',' or ']' after an element");
    return elements;
  }

  #string(): string {
    const text = this.#text;
    const start = this.#at;
    let at = start + 1;
    let hasEscapes = false;
    for (;;) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) break;
      if (code === BACKSLASH) {
        hasEscapes = true;
        at = this.#escape(at);
      } else if (code >= SPACE) {
        at++;
      } else {
        this.#at = at;
        this.#fail(Number.isNaN(code) ? 'a string is not closed' : 'a control character in a string must be escaped');
      }
    }
    this.#at = at + 1;
    return hasEscapes ? (JSON.parse(text.slice(start, this.#at)) as string) : text.slice(start + 1, at);
  }

  /** The position after an escape. */
  #escape(at: number): number {
    if (SIMPLE_ESCAPES.has(this.#text.charCodeAt(at + 1))) return at + 2;
    this.#at = at;
    if (!this.#skip(UNICODE_ESCAPE)) this.#fail('unknown escape in a string');
    return this.#at;
  }

  #duplicate(): void {
    if (this.duplicates.size < MAX_DUPLICATES) this.duplicates.add(fieldPath(this.#path));
  }

  #take(char: string): boolean {
    this.#skipBlanks();
    if (this.#text[this.#at] !== char) return false;
    this.#at++;
    return true;
  }

  /** Most texts have no blanks, or few. */
  #skipBlanks(): void {
    if (this.#text.charCodeAt(this.#at) <= SPACE) this.#skip(BLANKS);
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

/** An assignment to `__proto__` would change what the object inherits. */
function setMember(members: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') members[name] = value;
  else Object.defineProperty(members, name, { value, configurable: true, enumerable: true, writable: true });
}

/** A path as Kubernetes writes it: `spec.items[2].name`. A very long one is cut. */
export function fieldPath(path: readonly PropertyKey[]): string {
  let text = '';
  for (const step of path) {
    if (text.length >= MAX_PATH) break;
    text += typeof step === 'number' ? `[${step}]` : `${text === '' ? '' : '.'}${String(step).slice(0, MAX_PATH)}`;
  }
  return text.slice(0, MAX_PATH);
}
