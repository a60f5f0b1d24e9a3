import { isUtf8 } from 'node:buffer';
import { badRequest, tooDeep, tooManyValues } from '../status/errors.js';
import { ApiError } from '../status/status.js';
import { isExact } from './exact.js';
import { inexactNumber } from './inexact.js';
import { scanJson } from './scan.js';
import { parseYaml } from './yaml.js';

export interface DecodeLimits {
  /** How deep objects and arrays may be nested. */
  readonly depth: number;
  /** How many values there may be: members, elements, and the document itself. */
  readonly values: number;
}

export interface Decoded {
  readonly value: unknown;
  /** Paths of repeated fields, such as `spec.title`; the last value counts. At most 100 are reported. */
  readonly duplicates: readonly string[];
}

/**
 * The time to decode a document depends on its number of values more than on its length. The largest objects of Kubernetes have some thousands, and
 * the longest JSON patch has 40,001. Decoding this many takes some tens of milliseconds, in which the server does nothing else.
 */
export const DEFAULT_LIMITS: DecodeLimits = { depth: 100, values: 45_000 };
/** YAML takes longer, and aliases make many values of few bytes. */
const YAML_LIMITS: DecodeLimits = { depth: 100, values: 20_000 };

/**
 * Decodes a request body in JSON. Throws 400 with the position of the mistake, and 413 for too many values. An integer of 64 bits that JSON.parse
 * would round becomes a bigint. A larger one that would be rounded is refused, and so is a number that is too large for a double: otherwise the server
 * would store another value than it was sent. It also refuses the key `__proto__`, so that no other code must handle it. `constructor` and `prototype`
 * are ordinary keys.
 */
export function decodeJson(bytes: Uint8Array, limits: DecodeLimits = DEFAULT_LIMITS): Decoded {
  const members = scanMembers(bytes, limits);
  const text = decodeText(bytes);
  const value = parseJson(text);
  const census = new Census();
  census.count(value);
  if (census.members === members && !census.isLarge) return { value, duplicates: [] };
  const { duplicates, inexact, value: exact } = scanJson(text);
  if (inexact !== undefined) throw inexactNumber(inexact.path, inexact.text);
  return { value: census.isLarge ? exact : value, duplicates };
}

/**
 * Decodes a request body of one YAML document, with the same rules. JSON is valid YAML, and is decoded as JSON, which is faster.
 */
export function decodeYaml(bytes: Uint8Array, limits: DecodeLimits = YAML_LIMITS): Decoded {
  const text = decodeText(bytes);
  if (/^\s*\{/.test(text)) {
    try {
      return decodeJson(bytes, limits);
    } catch (error) {
      // Text that is not JSON may still be a YAML flow mapping. If it is not, the YAML parser refuses it.
      if (!(error instanceof ApiError)) throw error;
    }
  }
  const decoded = parseYaml(text, limits);
  new Census().count(decoded.value);
  return decoded;
}

function decodeText(bytes: Uint8Array): string {
  if (!isUtf8(bytes)) throw badRequest('the body is not valid UTF-8');
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw malformed(text, error);
  }
}

/** Finds the position itself, because V8 reports it only sometimes and in words that depend on its version. */
function malformed(text: string, cause: unknown): ApiError {
  if (text.trim() === '') return badRequest('the body is empty; a JSON object is expected', cause);
  const { fault } = scanJson(text);
  if (fault === undefined) return badRequest('the body is not valid JSON', cause);
  const before = text.slice(0, fault.offset);
  const line = linesOf(before);
  const column = fault.offset - before.lastIndexOf('\n');
  return badRequest(`the body is not valid JSON: line ${line}, column ${column}: ${fault.message}`, cause);
}

/** A body may have a million lines, so they are not split. */
function linesOf(text: string): number {
  let lines = 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}

/**
 * Checks the depth and the number of values before any recursive code sees the text, and counts the members (colons outside strings). If the parsed
 * value has fewer members, a key was repeated. By hand because JSON.parse reports neither. This scan is fast, and `scanJson` only runs if needed. The
 * count is meaningless for malformed text, and is then not used.
 */
function scanMembers(document: Uint8Array, limits: DecodeLimits): number {
  const bytes = Buffer.from(document.buffer, document.byteOffset, document.byteLength);
  let depth = 0;
  let members = 0;
  // Every value but the document follows a comma, or is the first in an object or array.
  let values = 1;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i];
    if (byte === 0x22) {
      i = endOfString(bytes, i + 1);
    } else if (byte === 0x3a) {
      members++;
    } else if (byte === 0x7b || byte === 0x5b) {
      values++;
      if (++depth > limits.depth) throw tooDeep(limits.depth);
    } else if (byte === 0x7d || byte === 0x5d) {
      depth--;
    } else if (byte === 0x2c) {
      values++;
    }
  }
  if (values > limits.values) throw tooManyValues(limits.values);
  return members;
}

/** Texts of up to this many bytes are scanned one by one, because that is faster than to call the search of Node. */
const SHORT = 32;

/** The position of the quote that ends a string which begins at `from`; the length of the document or more if none does. */
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

/** What a decoded value consists of. */
class Census {
  /** The number of members of all objects together. */
  members = 0;
  /** Whether there is a number that may not be the one in the text. Then the value is read again. */
  isLarge = false;

  /** Throws 400 for a key `__proto__`. */
  count(value: unknown): void {
    if (typeof value === 'number') this.isLarge ||= !isExact(value);
    if (typeof value !== 'object' || value === null) return;
    if (Array.isArray(value)) {
      for (const element of value) this.count(element);
      return;
    }
    const object = value as Record<string, unknown>;
    for (const key of Object.keys(object)) {
      if (key === '__proto__') throw badRequest('the body has a key "__proto__", which is not allowed');
      this.members++;
      this.count(object[key]);
    }
  }
}
