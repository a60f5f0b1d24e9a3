import { tooDeep, tooManyMembers, tooManyValues } from '../status/errors.js';

/** How large and how deep a document may be. */
export interface DecodeLimits {
  /** How deep objects and arrays may be nested. */
  readonly depth: number;
  /** How many values there may be: members, elements, and the document itself. */
  readonly values: number;
}

/**
 * The most members of one object. V8 needs twice the time for each member of an object ten times as large, wherever the
 * object is copied. Objects that people write have some thousands.
 */
const MOST_MEMBERS = 45_000;

/**
 * Counts what a document in JSON has, before any recursive code sees the text. Members are colons outside strings: if
 * the parsed value has fewer, a key was repeated. By hand because JSON.parse reports neither. The counts are
 * meaningless for malformed text, and are then not used.
 */
export class MemberScan {
  members = 0;
  // Every value but the document follows a comma, or is the first in an object or array.
  values = 1;
  deepest = 0;
  /** The most members of one object. */
  widest = 0;
  /** The members of the objects that the place is in, by depth. */
  readonly #counts: number[] = [0];
  #depth = 0;
  #at = 0;
  readonly #bytes: Buffer;

  constructor(document: Uint8Array) {
    this.#bytes = Buffer.from(document.buffer, document.byteOffset, document.byteLength);
  }

  /** Reads on up to an offset, or to where the document is too deep. */
  read(limits: DecodeLimits, end = this.#bytes.length): void {
    const bytes = this.#bytes;
    const counts = this.#counts;
    let [depth, members, values, deepest, widest, i] = [
      this.#depth,
      this.members,
      this.values,
      this.deepest,
      this.widest,
      this.#at,
    ];
    for (; i < end; i++) {
      const byte = bytes[i];
      if (byte === 0x22) {
        i = endOfString(bytes, i + 1);
      } else if (byte === 0x3a) {
        members++;
        const count = (counts[depth] ?? 0) + 1;
        counts[depth] = count;
        if (count > widest) widest = count;
      } else if (byte === 0x7b || byte === 0x5b) {
        values++;
        depth++;
        counts[depth] = 0;
        if (depth > deepest) deepest = depth;
        if (depth > limits.depth) break;
      } else if (byte === 0x7d || byte === 0x5d) {
        depth--;
      } else if (byte === 0x2c) {
        values++;
      }
    }
    [this.#depth, this.members, this.values, this.#at] = [depth, members, values, i];
    [this.deepest, this.widest] = [deepest, widest];
  }

  /** Throws 413 if the document that was read has more than the limits. */
  check(limits: DecodeLimits): void {
    if (this.deepest > limits.depth) throw tooDeep(limits.depth);
    if (this.values > limits.values) throw tooManyValues(limits.values);
    if (this.widest > MOST_MEMBERS) throw tooManyMembers(MOST_MEMBERS);
  }

  /** Whether `check` throws nothing. */
  isWithin(limits: DecodeLimits): boolean {
    return this.values <= limits.values && this.deepest <= limits.depth && this.widest <= MOST_MEMBERS;
  }
}

/** Texts of up to this many bytes are scanned one by one, because that is faster than to call the search of Node. */
const SHORT = 32;

/**
 * The position of the quote that ends a string which begins at `from`; the length of the document or more if none does.
 */
function endOfString(bytes: Buffer, from: number): number {
  let at = from;
  for (;;) {
    const near = at + SHORT;
    for (; at < near; at++) {
      if (at >= bytes.length || bytes[at] === 0x22) return at;
      if (bytes[at] === 0x5c) at++;
    }
    const quote = bytes.indexOf(0x22, at);
    if (quote < 0) return bytes.length;
    let escapes = 0;
    while (quote - escapes > at && bytes[quote - escapes - 1] === 0x5c) escapes++;
    if (escapes % 2 === 0) return quote;
    at = quote + 1;
  }
}
