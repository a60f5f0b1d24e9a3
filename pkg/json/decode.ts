import { isUtf8 } from 'node:buffer';
import { badRequest } from '../status/errors.js';
import { ApiError } from '../status/status.js';
import { scanJson } from './scan.js';
import { parseYaml } from './yaml.js';

export interface DecodeLimits {
  /** How many objects and arrays may lie in one another. */
  readonly depth: number;
}

export interface Decoded {
  readonly value: unknown;
  /** Paths of the fields given more than once (the last one counts): `spec.title`. At most 100 are told. */
  readonly duplicates: readonly string[];
}

const DEFAULT_LIMITS: DecodeLimits = { depth: 100 };

/**
 * A request body in JSON; whatever is wrong with it is a 400 that says where. Numbers are what JSON.parse makes of them:
 * an integer beyond 2^53 is rounded. An object with a key `__proto__` is refused, here at the door, so that nothing inside
 * has to beware of it; `constructor` and `prototype` are keys like any other.
 */
export function decodeJson(bytes: Uint8Array, limits: DecodeLimits = DEFAULT_LIMITS): Decoded {
  const members = scanMembers(bytes, limits.depth);
  const text = decodeText(bytes);
  const value = parseJson(text);
  const duplicates = countMembers(value) === members ? [] : scanJson(text).duplicates;
  return { value, duplicates };
}

/** A request body in YAML, one document; under the same limits and rules. JSON is YAML, is what most clients send, and is decoded as JSON. */
export function decodeYaml(bytes: Uint8Array, limits: DecodeLimits = DEFAULT_LIMITS): Decoded {
  const text = decodeText(bytes);
  if (/^\s*\{/.test(text)) {
    try {
      return decodeJson(bytes, limits);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error; // else it may yet be a flow mapping; if not, YAML refuses it, too
    }
  }
  const decoded = parseYaml(text, limits.depth);
  countMembers(decoded.value);
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

/** V8 tells the position only sometimes and in words that change with its version: look for it ourselves. */
function malformed(text: string, cause: unknown): ApiError {
  if (text.trim() === '') return badRequest('the body is empty; a JSON object is expected', cause);
  const { fault } = scanJson(text);
  if (fault === undefined) return badRequest('the body is not valid JSON', cause);
  const before = text.slice(0, fault.offset);
  const line = before.split('\n').length;
  const column = fault.offset - before.lastIndexOf('\n');
  return badRequest(`the body is not valid JSON: line ${line}, column ${column}: ${fault.message}`, cause);
}

/**
 * Bounds the depth before anything recursive sees the text, and counts the members (colons outside strings) on the way:
 * if the parsed value has fewer, a key was given twice. Runs over malformed text, too; its count is then not used.
 */
function scanMembers(bytes: Uint8Array, maxDepth: number): number {
  let depth = 0;
  let members = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i];
    if (byte === 0x22) {
      for (i++; i < bytes.length && bytes[i] !== 0x22; i++) if (bytes[i] === 0x5c) i++;
    } else if (byte === 0x3a) {
      members++;
    } else if (byte === 0x7b || byte === 0x5b) {
      if (++depth > maxDepth) throw badRequest(`the body is nested deeper than ${maxDepth} levels`);
    } else if (byte === 0x7d || byte === 0x5d) {
      depth--;
    }
  }
  return members;
}

/** The members of all objects together; refuses `__proto__` on the way. */
function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (Array.isArray(value)) return value.reduce<number>((sum, element) => sum + countMembers(element), 0);
  const object = value as Record<string, unknown>;
  let count = 0;
  for (const key of Object.keys(object)) {
    if (key === '__proto__') throw badRequest('the body has a key "__proto__", which is not allowed');
    count += 1 + countMembers(object[key]);
  }
  return count;
}
