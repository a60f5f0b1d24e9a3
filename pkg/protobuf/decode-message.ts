import { decodeJson } from '../json/decode.js';
import type { Field, FieldType, Message } from './message.js';
import { malformed, readFields, textOf, type WireField } from './wire.js';

type JsonObject = Record<string, unknown>;

/** The JSON form of a message. The tables are not recursive, so they bound the depth. */
export function decodeMessage(message: Message, bytes: Uint8Array): JsonObject {
  const object: JsonObject = {};
  for (const wire of readFields(bytes)) {
    const field = message[wire.number];
    if (field === undefined) continue;
    const value = decodeField(field, wire);
    if (field.repeated === true) listOf(object, field.name).push(value);
    else if (typeof field.type === 'object' && 'map' in field.type) addEntry(object, field, value);
    else if (field.optional === true || !isZero(value)) object[field.name] = value;
  }
  return object;
}

/** Go writes plain scalars even when they are zero. */
const isZero = (value: unknown): boolean => value === undefined || value === '' || value === 0 || value === false;

function listOf(object: JsonObject, name: string): unknown[] {
  const list = object[name];
  if (Array.isArray(list)) return list;
  const fresh: unknown[] = [];
  object[name] = fresh;
  return fresh;
}

function addEntry(object: JsonObject, field: Field, entry: unknown): void {
  const [key, value] = entry as readonly [string, unknown];
  if (key === '__proto__') throw malformed('it has a key "__proto__", which is not allowed');
  const map = (object[field.name] ?? {}) as JsonObject;
  map[key] = value;
  object[field.name] = map;
}

function decodeField(field: Field, wire: WireField): unknown {
  if (field.type === 'bool' || field.type === 'int') {
    if (wire.kind !== 'varint') throw malformed(`${field.name} must be a number`);
    return field.type === 'bool' ? wire.value !== 0n : Number(wire.value);
  }
  if (wire.kind !== 'bytes') throw malformed(`${field.name} has the wrong wire type`);
  return decodeBytes(field.type, wire.value);
}

function decodeBytes(type: Exclude<FieldType, 'bool' | 'int'>, bytes: Uint8Array): unknown {
  switch (type) {
    case 'string':
      return textOf(bytes);
    case 'strings':
      return decodeMessage(STRINGS, bytes)['items'] ?? [];
    case 'bytes':
      return Buffer.from(bytes).toString('base64');
    case 'json':
      return decodeRawJson(bytes);
    case 'time':
      return decodeTime(bytes, '');
    case 'microtime':
      return decodeTime(bytes, '.000000');
    default:
      return 'message' in type ? decodeMessage(type.message, bytes) : decodeEntry(type.map, bytes);
  }
}

const STRINGS: Message = { 1: { name: 'items', type: 'string', repeated: true } };
const TIME: Message = { 1: { name: 'seconds', type: 'int' }, 2: { name: 'nanos', type: 'int' } };

/** An entry of a map as [key, value]; a missing part is empty. */
function decodeEntry(type: 'string' | 'strings' | 'bytes', bytes: Uint8Array): readonly [string, unknown] {
  const entry = decodeMessage({ 1: { name: 'key', type: 'string' }, 2: { name: 'value', type } }, bytes);
  return [String(entry['key'] ?? ''), entry['value'] ?? (type === 'strings' ? [] : '')];
}

/** metav1.FieldsV1 { 1: raw }. */
function decodeRawJson(bytes: Uint8Array): unknown {
  for (const field of readFields(bytes)) {
    if (field.number === 1 && field.kind === 'bytes' && field.value.length > 0) return decodeJson(field.value).value;
  }
  return undefined;
}

/**
 * metav1.Time and MicroTime { 1: seconds, 2: nanos } in RFC 3339 as Go writes them: with whole seconds, or with microseconds. An empty message is
 * no time. `fraction` is that of a whole second.
 */
function decodeTime(bytes: Uint8Array, fraction: '' | '.000000'): string | undefined {
  const { seconds = 0, nanos = 0 } = decodeMessage(TIME, bytes) as {
    readonly seconds?: number;
    readonly nanos?: number;
  };
  if (seconds === 0 && nanos === 0) return undefined;
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime()) || nanos < 0 || nanos > 999_999_999) throw malformed('a time is out of range');
  const micros = `.${String(Math.floor(nanos / 1000)).padStart(6, '0')}`.slice(0, fraction.length);
  return `${date.toISOString().slice(0, -'.000Z'.length)}${micros}Z`;
}
