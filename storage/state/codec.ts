import { canonicalJson } from '../../pkg/kube/json/canonical.js';
import { CANONICAL, jsonSteps, type Style } from '../../pkg/kube/json/json-steps.js';
import { parseExactly } from '../../pkg/kube/json/parse.js';
import { wholeNumbersWritten } from '../../pkg/kube/json/raw-json.js';
import { scanSteps } from '../../pkg/kube/json/scan.js';
import type { Steps } from '../../pkg/system/yielding/steps.js';
import type { Bytes, Revision } from '../backend.js';
import { placeInMetadata } from './metadata-place.js';

/**
 * The encoding of objects. The resourceVersion is always directly after the `"metadata":{` of the object itself, so
 * that it can be inserted when the write gets its revision, and replaced in the frame of a DELETED event, without
 * parsing (`metadata-place.ts` finds it).
 */
const VERSION = '"resourceVersion":"';
const QUOTE = 0x22;

/**
 * A text that begins with it has integers that JSON.parse would round. Readers must know, and to search each text for
 * large numbers takes a tenth of the time that JSON.parse takes.
 */
const EXACT = ' ';

/** The text in which an object is stored. */
export function textOfObject(object: unknown, write: (object: unknown) => string = canonicalJson): string {
  const before = wholeNumbersWritten();
  const text = write(object);
  return wholeNumbersWritten() === before ? text : `${EXACT}${text}`;
}

/** The text of an object without its revision, or the bytes of it, if it is large. */
export type Text = string | Bytes;

/** The same in steps, for an object that may be large. */
export function* textSteps(object: unknown, { names, write }: Style = CANONICAL): Steps<string | Buffer> {
  let isExact = false;
  const noting = (part: unknown): string => {
    const before = wholeNumbersWritten();
    const written = write(part);
    isExact ||= wholeNumbersWritten() !== before;
    return written;
  };
  const text = yield* jsonSteps(object, { names, write: noting });
  if (!isExact) return text;
  return typeof text === 'string' ? `${EXACT}${text}` : Buffer.concat([Buffer.from(EXACT), text]);
}

/** The text of an object with another one, given as it is stored, as a new last member of its last member. */
export function textWithObject(outer: string, name: string, inner: Bytes): Bytes {
  const isExact = inner[0] === EXACT.charCodeAt(0) && !outer.startsWith(EXACT);
  const before = `${isExact ? EXACT : ''}${outer.slice(0, -2)},"${name}":`;
  return Buffer.concat([Buffer.from(before), inner, Buffer.from('}}')]);
}

/**
 * The bytes may be a part of Node's pool, so they should not be kept for long. `text` is that of an object whose
 * metadata is not empty and has no resourceVersion.
 */
export function encodeText(text: Text, revision: Revision): Bytes {
  const own = typeof text === 'string' ? text : asBuffer(text);
  const offset = placeInMetadata(own);
  if (offset < 0) throw new Error(`an object without metadata cannot be stored: ${own.toString().slice(0, 100)}`);
  const version = `"resourceVersion":"${revision}",`;
  if (typeof own === 'string') return Buffer.from(`${own.slice(0, offset)}${version}${own.slice(offset)}`);
  return Buffer.concat([own.subarray(0, offset), Buffer.from(version), own.subarray(offset)]);
}

export function decodeObject(bytes: Bytes): unknown {
  return parseObject(asBuffer(bytes).toString('utf8'));
}

/** The same in steps. It takes twice as long. */
export function* decodedInSteps(bytes: Bytes): Steps<unknown> {
  const text = asBuffer(bytes).toString('utf8');
  yield;
  const { fault, value } = yield* scanSteps(text);
  return fault === undefined ? value : parseObject(text);
}

/** The object of a stored text. */
export function parseObject(text: string): unknown {
  return text.startsWith(EXACT) ? parseExactly(text) : JSON.parse(text);
}

/** The revision that is in the bytes. */
export function revisionOf(bytes: Bytes): Revision {
  const buffer = asBuffer(bytes);
  const from = placeInMetadata(buffer) + VERSION.length;
  return Number(buffer.toString('latin1', from, buffer.indexOf(QUOTE, from)));
}

/** The bytes of the text that `encodeText` was called with. */
export function withoutRevision(bytes: Bytes): Bytes {
  const buffer = asBuffer(bytes);
  const from = placeInMetadata(buffer);
  if (buffer.toString('latin1', from, from + VERSION.length) !== VERSION) return bytes;
  const end = buffer.indexOf(QUOTE, from + VERSION.length);
  return Buffer.concat([buffer.subarray(0, from), buffer.subarray(end + 2)]);
}

/** The same object at another revision: a DELETED event has the revision of the deletion. */
export function withRevision(bytes: Bytes, revision: Revision): Bytes {
  const buffer = asBuffer(bytes);
  const from = placeInMetadata(buffer) + VERSION.length;
  const end = buffer.indexOf(QUOTE, from);
  return Buffer.concat([buffer.subarray(0, from), Buffer.from(String(revision)), buffer.subarray(end)]);
}

export function asBuffer(bytes: Bytes): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
