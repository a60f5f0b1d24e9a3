import { runSteps, type Steps } from '../../system/yielding/steps.js';
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
  /** Whether a member is called `__proto__`. */
  readonly hasProto?: boolean;
}

export interface InexactNumber {
  readonly path: string;
  readonly text: string;
}

/** A body of 3 MiB could have half a million repeated members. */
const MAX_DUPLICATES = 100;

/** A body may have a name of a megabyte, and a hundred thousand members below it. */
const MAX_PATH = 1000;

/** The characters that are read in a step, and how many take as long as one value. */
const STEP = 200_000;
const VALUE = 100;
/** The most characters of a part of a text that JavaScript copies by itself. */
const LONG = 12;
/** The characters of a long text, or the blanks, that are read in a step. */
const PIECE = 200_000;
/** No double needs so many digits, and no integer of 64 bits. */
const LONG_NUMBER = 10_000;
/** Without control characters and backslashes. */
const PLAIN = /^[ -[\]-\uffff]*$/;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
const LETTER_U = 0x75;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const LITERAL = /true|false|null/y;
const SIMPLE_ESCAPES: ReadonlySet<number> = new Set([...'"\\/bfnrt'].map((char) => char.charCodeAt(0)));
const UNICODE_ESCAPE = /\\u[0-9a-fA-F]{4}/y;

/**
 * Finds the first mistake of a text that JSON.parse refuses, or its value, its repeated keys and the first number that
 * cannot be kept. It is slower than JSON.parse and recursive, so it runs only after the depth was checked, and
 * something was found wrong or a number is large. By hand because JSON parsers keep the last of repeated keys without a
 * report, and round large integers.
 */
export function scanJson(text: string): JsonScan {
  return runSteps(scanSteps(text));
}

/** The same in steps. */
export function* scanSteps(text: string): Steps<JsonScan> {
  const scanner = new Scanner(text);
  try {
    const value = yield* scanner.document();
    const { inexact, hasProto } = scanner;
    return { fault: undefined, duplicates: [...scanner.duplicates], inexact, value, hasProto };
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
  hasProto = false;
  readonly #source: string;
  readonly #path: (string | number)[] = [];
  #at = 0;
  #values = 0;
  #due = STEP;

  constructor(text: string) {
    this.#source = text;
  }

  *document(): Steps<unknown> {
    while (this.#skipBlanks()) yield;
    const value = this.#isLeaf() ? this.#scalar() : yield* this.#stepped();
    while (this.#skipBlanks()) yield;
    if (this.#at < this.#source.length) this.#fail('expected the end of the body');
    return value;
  }

  /** Whether a number or a word comes. */
  #isLeaf(): boolean {
    const char = this.#source[this.#at];
    return char !== '{' && char !== '[' && char !== '"';
  }

  *#stepped(): Steps<unknown> {
    const char = this.#source[this.#at];
    if (char === '"') return this.#text() ?? (yield* this.#longText());
    return char === '{' ? yield* this.#object() : yield* this.#array();
  }

  /** Whether it is time to pause. */
  #isDue(): boolean {
    this.#values++;
    const done = this.#at + this.#values * VALUE;
    if (done < this.#due) return false;
    this.#due = done + STEP;
    return true;
  }

  #scalar(): unknown {
    const start = this.#at;
    const char = this.#source[start];
    if (this.#skip(NUMBER)) return this.#number(this.#source.slice(start, this.#at));
    if (!this.#skip(LITERAL)) this.#fail('expected a value');
    return char === 'n' ? null : char === 't';
  }

  #number(text: string): number | bigint {
    const value = text.length > LONG_NUMBER ? undefined : exactNumber(text);
    if (value === undefined) this.inexact ??= { path: fieldPath(this.#path), text };
    return value ?? Number.NaN;
  }

  *#object(): Steps<Record<string, unknown>> {
    /** Each name, and whether it was already reported as repeated. */
    const names = new Map<string, boolean>();
    const members: Record<string, unknown> = {};
    this.#at++;
    while (this.#skipBlanks()) yield;
    if (this.#take('}')) return members;
    do {
      while (this.#skipBlanks()) yield;
      if (this.#source[this.#at] !== '"') this.#fail('expected a key in double quotes');
      const name = this.#text() ?? (yield* this.#longText());
      this.#path.push(name);
      const isReported = names.get(name);
      if (isReported === false) this.#duplicate();
      names.set(name, isReported !== undefined);
      while (this.#skipBlanks()) yield;
      if (!this.#take(':')) this.#fail("expected ':' after a key");
      while (this.#skipBlanks()) yield;
      this.#set(members, name, this.#isLeaf() ? this.#scalar() : yield* this.#stepped());
      this.#path.pop();
      if (this.#isDue()) yield;
      while (this.#skipBlanks()) yield;
    } while (this.#take(','));
    if (!this.#take('}')) this.#fail("expected ',' or '}' after a member");
    return members;
  }

  *#array(): Steps<unknown[]> {
    const elements: unknown[] = [];
    this.#at++;
    while (this.#skipBlanks()) yield;
    if (this.#take(']')) return elements;
    do {
      this.#path.push(elements.length);
      while (this.#skipBlanks()) yield;
      elements.push(this.#isLeaf() ? this.#scalar() : yield* this.#stepped());
      this.#path.pop();
      if (this.#isDue()) yield;
      while (this.#skipBlanks()) yield;
    } while (this.#take(','));
    if (!this.#take(']')) this.#fail("expected ',' or ']' after an element");
    return elements;
  }

  /** A text of some length. Undefined, and nothing is read, if it is longer. */
  #text(): string | undefined {
    const text = this.#source;
    const start = this.#at + 1;
    const end = this.#pieceEnd(start);
    if (text.charCodeAt(end) !== QUOTE) return undefined;
    this.#at = end + 1;
    return this.#piece(start, end);
  }

  /** The same in steps, of any length. */
  *#longText(): Steps<string> {
    const text = this.#source;
    const start = this.#at;
    const parts: string[] = [];
    for (let from = start + 1; ; ) {
      const end = this.#pieceEnd(from);
      if (end >= text.length) this.#faultIn(from);
      parts.push(this.#piece(from, end));
      if (text.charCodeAt(end) === QUOTE) {
        this.#at = end + 1;
        return parts.join('');
      }
      from = end;
      yield;
    }
  }

  /** Where a text ends, or a piece of it, which does not divide an escape. */
  #pieceEnd(from: number): number {
    const text = this.#source;
    const most = Math.min(from + PIECE, text.length);
    let at = from;
    while (at < most) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) return at;
      at += code !== BACKSLASH ? 1 : text.charCodeAt(at + 1) === LETTER_U ? 6 : 2;
    }
    return at;
  }

  /** A part of a text keeps the whole in memory, so a longer one is copied. */
  #piece(from: number, end: number): string {
    const piece = this.#source.slice(from, end);
    if (piece.length <= LONG && PLAIN.test(piece)) return piece;
    try {
      return JSON.parse(`"${piece}"`) as string;
    } catch {
      return this.#faultIn(from);
    }
  }

  /** Finds what is wrong with the piece of a text that begins here. */
  #faultIn(from: number): never {
    const text = this.#source;
    for (let at = from; ; ) {
      const code = text.charCodeAt(at);
      if (code === BACKSLASH) {
        at = this.#escape(at);
      } else if (code >= SPACE && code !== QUOTE) {
        at++;
      } else {
        this.#at = at;
        this.#fail(Number.isNaN(code) ? 'a string is not closed' : 'a control character in a string must be escaped');
      }
    }
  }

  /** The position after an escape. */
  #escape(at: number): number {
    if (SIMPLE_ESCAPES.has(this.#source.charCodeAt(at + 1))) return at + 2;
    this.#at = at;
    if (!this.#skip(UNICODE_ESCAPE)) this.#fail('unknown escape in a string');
    return this.#at;
  }

  /** An assignment to `__proto__` would change what the object inherits. */
  #set(members: Record<string, unknown>, name: string, value: unknown): void {
    if (name !== '__proto__') {
      members[name] = value;
      return;
    }
    this.hasProto = true;
    Object.defineProperty(members, name, { value, configurable: true, enumerable: true, writable: true });
  }

  #duplicate(): void {
    if (this.duplicates.size < MAX_DUPLICATES) this.duplicates.add(fieldPath(this.#path));
  }

  #take(char: string): boolean {
    if (this.#source[this.#at] !== char) return false;
    this.#at++;
    return true;
  }

  /** Skips the blanks of a step. Whether there may be more. */
  #skipBlanks(): boolean {
    const most = this.#at + PIECE;
    for (let code = this.#source.charCodeAt(this.#at); isBlank(code); code = this.#source.charCodeAt(this.#at))
      if (++this.#at === most) return true;
    return false;
  }

  #skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    if (!pattern.test(this.#source)) return false;
    this.#at = pattern.lastIndex;
    return true;
  }

  #fail(message: string): never {
    const codePoint = this.#source.codePointAt(this.#at);
    const what =
      codePoint === undefined ? 'the body ends here' : `found ${JSON.stringify(String.fromCodePoint(codePoint))}`;
    throw new Fault(this.#at, `${message}, ${what}`);
  }
}

function isBlank(code: number): boolean {
  return code === SPACE || code === 0x0a || code === 0x0d || code === 0x09;
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
