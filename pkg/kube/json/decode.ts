import { isUtf8 } from 'node:buffer';
import { runSteps, type Steps } from '../../system/yielding/steps.js';
import { badRequest, tooManyValues } from '../status/errors.js';
import { ApiError } from '../status/status.js';
import { isExact } from './exact.js';
import { inexactNumber } from './inexact.js';
import { DEFAULT_LIMITS } from './limits.js';
import { type DecodeLimits, MemberScan } from './members.js';
import { type JsonFault, scanJson, scanSteps } from './scan.js';
import { parseYaml } from './yaml.js';

export type { DecodeLimits };

export interface Decoded {
  readonly value: unknown;
  /** Paths of repeated fields, such as `spec.title`; the last value counts. At most 100 are reported. */
  readonly duplicates: readonly string[];
}

/**
 * Decodes a request body in JSON. Throws 400 with the position of the mistake, and 413 for too many values. An integer
 * of 64 bits that JSON.parse would round becomes a bigint. A larger one that would be rounded is refused, and so is a
 * number that is too large for a double: otherwise the server would store another value than it was sent. It also
 * refuses the key `__proto__`, so that no other code must handle it. `constructor` and `prototype` are ordinary keys.
 */
export function decodeJson(bytes: Uint8Array, limits: DecodeLimits = DEFAULT_LIMITS): Decoded {
  const ahead = bytes.byteLength < FEW_BYTES ? undefined : decodedAhead.get(bytes);
  if (ahead !== undefined) return takeAhead(ahead, limits);
  const scan = new MemberScan(bytes);
  scan.read(limits);
  scan.check(limits);
  const text = decodeText(bytes);
  const value = parseJson(text);
  const census = new Census();
  census.count(value);
  if (census.members === scan.members && !census.isLarge) return { value, duplicates: [] };
  const { duplicates, inexact, value: exact } = scanJson(text);
  if (inexact !== undefined) throw inexactNumber(inexact.path, inexact.text);
  return { value: census.isLarge ? exact : value, duplicates };
}

/** What was decoded of a large document before anybody asked. */
interface Ahead {
  readonly scan?: MemberScan;
  readonly outcome: Decoded | ApiError;
}

const decodedAhead = new WeakMap<Uint8Array, Ahead>();
/**
 * Documents with more bytes or more values than this are decoded ahead, in steps. Others are decoded at once, which is
 * faster.
 */
const LARGE_BYTES = 2 ** 20;
const MANY_VALUES = 10_000;
/** No document has so many values in fewer bytes. */
const FEW_BYTES = 2 * MANY_VALUES;
/** A document in YAML with more bytes is better decoded ahead: it takes up to two milliseconds for each KiB. */
export const LARGE_YAML_BYTES = 2 ** 13;
/** The bytes that are read in a step. */
const STEP_BYTES = 2 ** 18;
const BLANKS: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);

/** Whether a document in JSON may be so large that it is better decoded ahead. */
export function mayBeLarge(bytes: Uint8Array): boolean {
  if (bytes.byteLength < FEW_BYTES) return false;
  return bytes.byteLength >= LARGE_BYTES || mayBeJsonObject(bytes) || firstOf(bytes) === 0x5b;
}

/** Whether a document in YAML may be in JSON: it begins as an object. */
export function mayBeJsonObject(bytes: Uint8Array): boolean {
  return firstOf(bytes) === 0x7b;
}

/** Clients send at most some blanks first. */
function firstOf(bytes: Uint8Array): number | undefined {
  return bytes.subarray(0, 1000).find((byte) => !BLANKS.has(byte));
}

/**
 * Whether a body that may be YAML is an object in JSON. Clients send both under one media type, and only the first byte
 * tells.
 */
export function isJsonObject(body: Uint8Array): boolean {
  return body[0] === 0x7b;
}

/** Decodes a large document in JSON, in steps. `decodeJson` of the same bytes then only takes what is there. */
export function* decodeAhead(bytes: Uint8Array, limits: DecodeLimits = DEFAULT_LIMITS): Steps<void> {
  const scan = new MemberScan(bytes);
  for (let end = 0; end < bytes.byteLength && scan.isWithin(limits); ) {
    end = Math.min(end + STEP_BYTES, bytes.byteLength);
    scan.read(limits, end);
    if (end < bytes.byteLength) yield;
  }
  if (bytes.byteLength < LARGE_BYTES && scan.values < MANY_VALUES) return;
  const outcome = scan.isWithin(limits) ? yield* outcomeOf(bytes) : undefined;
  decodedAhead.set(bytes, { scan, outcome: outcome ?? tooManyValues(limits.values) });
}

function* outcomeOf(bytes: Uint8Array): Steps<Decoded | ApiError> {
  try {
    const text = yield* textSteps(bytes);
    const { fault, hasProto, inexact, value, duplicates } = yield* scanSteps(text);
    if (fault !== undefined) return yield* malformedSteps(text, fault);
    if (hasProto === true) throw forbiddenKey();
    if (inexact !== undefined) throw inexactNumber(inexact.path, inexact.text);
    return { value, duplicates };
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

/** What was kept of a body that is not JSON. Throws what is wrong with it. */
export function keptAhead(bytes: Uint8Array): Decoded | undefined {
  const ahead = decodedAhead.get(bytes);
  return ahead && takeAhead(ahead, DEFAULT_LIMITS);
}

/** What `decodeYaml` and `keptAhead` of the same bytes return or throw from now on. */
export function keepAhead(bytes: Uint8Array, outcome: Decoded | ApiError): void {
  decodedAhead.set(bytes, { outcome });
}

function takeAhead({ scan, outcome }: Ahead, limits: DecodeLimits): Decoded {
  scan?.check(limits);
  if (outcome instanceof ApiError) throw outcome;
  return outcome;
}

/**
 * Decodes a request body of one YAML document, with the same rules. JSON is valid YAML, and is decoded as JSON, which
 * is faster.
 */
export function decodeYaml(bytes: Uint8Array, limits: DecodeLimits = DEFAULT_LIMITS): Decoded {
  const ahead = bytes.byteLength > LARGE_YAML_BYTES ? decodedAhead.get(bytes) : undefined;
  if (ahead !== undefined) return takeAhead(ahead, limits);
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

const notUtf8 = (): ApiError => badRequest('the body is not valid UTF-8');
const forbiddenKey = (): ApiError => badRequest('the body has a key "__proto__", which is not allowed');

/** Throws 400 if the bytes are not valid UTF-8. */
export function decodeText(bytes: Uint8Array): string {
  if (!isUtf8(bytes)) throw notUtf8();
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}

function* textSteps(bytes: Uint8Array): Steps<string> {
  if (!isUtf8(bytes)) throw notUtf8();
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const parts: string[] = [];
  for (let from = 0; from < buffer.length; ) {
    let end = Math.min(from + STEP_BYTES, buffer.length);
    while (end < buffer.length && ((buffer[end] ?? 0) & 0xc0) === 0x80) end++;
    parts.push(buffer.toString('utf8', from, end));
    from = end;
    yield;
  }
  return parts.join('');
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
  const { fault } = scanJson(text);
  if (fault === undefined) return badRequest('the body is not valid JSON', cause);
  return runSteps(malformedSteps(text, fault, cause));
}

/** A body may have a million lines, so they are not split. */
function* malformedSteps(text: string, { offset, message }: JsonFault, cause?: unknown): Steps<ApiError> {
  let [line, start] = [1, 0];
  for (let at = 0, due = STEP_BYTES; at < offset; at++) {
    if (text.charCodeAt(at) === 0x0a) {
      line++;
      start = at + 1;
    }
    if (at < due) continue;
    due = at + STEP_BYTES;
    yield;
  }
  if (text.trim() === '') return badRequest('the body is empty; a JSON object is expected', cause);
  const column = offset - start + 1;
  return badRequest(`the body is not valid JSON: line ${line}, column ${column}: ${message}`, cause);
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
      if (key === '__proto__') throw forbiddenKey();
      this.members++;
      this.count(object[key]);
    }
  }
}
