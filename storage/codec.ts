import { canonicalJson } from '../pkg/json/canonical.js';
import type { Bytes, Revision } from './backend.js';

/**
 * How an object becomes bytes. The resourceVersion stands at one known place, right behind `"metadata":{`, so that it can be put in
 * when the write gets its number, and replaced in the frame of a DELETED event, without parsing. What stands before it
 * (apiVersion and kind) is ours and cannot hold that text.
 */
const METADATA = '"metadata":{';
const MARK = '"metadata":{"resourceVersion":"';
const MARK_BYTES = Buffer.from(MARK);
const QUOTE = 0x22;

/** The canonical text of an object without its resourceVersion: equal texts are equal objects. */
export function textOf(object: unknown): string {
  return canonicalJson(object);
}

/** `text` is what `textOf` gave, of an object whose metadata is not empty and holds no resourceVersion. */
export function encodeText(text: string, revision: Revision): Bytes {
  const found = text.indexOf(METADATA);
  if (found < 0) throw new Error(`an object without metadata cannot be stored: ${text.slice(0, 100)}`);
  const at = found + METADATA.length;
  return ownBytes(`${text.slice(0, at)}"resourceVersion":"${revision}",${text.slice(at)}`);
}

export function decodeObject(bytes: Bytes): unknown {
  return JSON.parse(asBuffer(bytes).toString('utf8'));
}

/** What `encodeText` was given. */
export function textWithoutRevision(bytes: Bytes): string {
  const text = asBuffer(bytes).toString('utf8');
  const from = text.indexOf(MARK);
  if (from < 0) return text;
  const end = text.indexOf('"', from + MARK.length);
  return text.slice(0, from + METADATA.length) + text.slice(end + 2);
}

/** The same object at another revision: a deleted object is told with the revision of its deletion. */
export function withRevision(bytes: Bytes, revision: Revision): Bytes {
  const buffer = asBuffer(bytes);
  const from = buffer.indexOf(MARK_BYTES) + MARK_BYTES.length;
  const end = buffer.indexOf(QUOTE, from);
  return Buffer.concat([buffer.subarray(0, from), Buffer.from(String(revision)), buffer.subarray(end)]);
}

/** A buffer of its own: a slice of Node's pool would pin 8 KiB for every small object that is kept. */
function ownBytes(text: string): Bytes {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text, 'utf8'));
  bytes.write(text, 'utf8');
  return bytes;
}

export function asBuffer(bytes: Bytes): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
