import { isObject, type Members } from '../../system/object/is-object.js';
import { deepCopy } from './copy.js';
import { byBytes, isInt64 } from './go-text.js';
import { DecodeError, parsedTime } from './object-meta-time.js';

/**
 * Reads ObjectMeta as Go reads it into metav1.ObjectMeta: without unknown fields and empty values. Its errors are those
 * of encoding/json, which clients of Kubernetes see in the causes.
 */

type Type =
  | { readonly kind: 'text' | 'int' | 'flag'; readonly name: string; readonly keepsEmpty?: boolean }
  | { readonly kind: 'time' }
  | { readonly kind: 'any' }
  | { readonly kind: 'map' }
  | { readonly kind: 'list'; readonly name: string; readonly item: Type }
  | { readonly kind: 'struct'; readonly name: string; readonly fields: ReadonlyMap<string, Type> };

const text: Type = { kind: 'text', name: 'string' };
const uid: Type = { kind: 'text', name: 'types.UID' };
const optionalInt: Type = { kind: 'int', name: 'int64', keepsEmpty: true };
const optionalFlag: Type = { kind: 'flag', name: 'bool', keepsEmpty: true };
const time: Type = { kind: 'time' };

const OwnerReference: Type = {
  kind: 'struct',
  name: 'OwnerReference',
  fields: new Map<string, Type>([
    ['apiVersion', { ...text, keepsEmpty: true }],
    ['kind', { ...text, keepsEmpty: true }],
    ['name', { ...text, keepsEmpty: true }],
    ['uid', { ...uid, keepsEmpty: true }],
    ['controller', optionalFlag],
    ['blockOwnerDeletion', optionalFlag],
  ]),
};

const ManagedFieldsEntry: Type = {
  kind: 'struct',
  name: 'ManagedFieldsEntry',
  fields: new Map<string, Type>([
    ['manager', text],
    ['operation', { kind: 'text', name: 'v1.ManagedFieldsOperationType' }],
    ['apiVersion', text],
    ['time', time],
    ['fieldsType', text],
    ['fieldsV1', { kind: 'any' }],
    ['subresource', text],
  ]),
};

const ObjectMeta: Type = {
  kind: 'struct',
  name: 'ObjectMeta',
  fields: new Map<string, Type>([
    ['name', text],
    ['generateName', text],
    ['namespace', text],
    ['selfLink', text],
    ['uid', uid],
    ['resourceVersion', text],
    ['generation', { kind: 'int', name: 'int64' }],
    ['creationTimestamp', time],
    ['deletionTimestamp', time],
    ['deletionGracePeriodSeconds', optionalInt],
    ['labels', { kind: 'map' }],
    ['annotations', { kind: 'map' }],
    ['ownerReferences', { kind: 'list', name: '[]v1.OwnerReference', item: OwnerReference }],
    ['finalizers', { kind: 'list', name: '[]string', item: text }],
    ['managedFields', { kind: 'list', name: '[]v1.ManagedFieldsEntry', item: ManagedFieldsEntry }],
  ]),
};

/** Go reports no more. */
const MAX_UNKNOWN = 100;

export interface DecodedMeta {
  readonly meta: Members;
  /** The paths of the fields that were dropped, below the metadata. */
  readonly unknown: readonly string[];
  /** The first problem in Go's words. If there is one, the rest must not be used. */
  readonly problem?: string;
}

interface Decoding {
  readonly unknown: Set<string>;
  problem: string | undefined;
}

export function decodeMeta(value: unknown): DecodedMeta {
  const decoding: Decoding = { unknown: new Set(), problem: undefined };
  try {
    const meta = decode(value, ObjectMeta, { struct: '', fields: [] }, '', decoding) ?? {};
    const unknown = [...decoding.unknown].slice(0, MAX_UNKNOWN);
    return { meta: meta as Members, unknown, ...(decoding.problem === undefined ? {} : { problem: decoding.problem }) };
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    return { meta: {}, unknown: [], problem: error.message };
  }
}

/** Where Go is when it finds a problem. */
interface DecodePosition {
  readonly struct: string;
  readonly fields: readonly string[];
}

/** Undefined for an empty value, which Go does not write. */
function decode(value: unknown, type: Type, position: DecodePosition, path: string, decoding: Decoding): unknown {
  if (type.kind === 'any') return value === null ? undefined : deepCopy(value);
  if (value === null) return emptyOf(type);
  if (type.kind === 'time') return decodeTime(value, position);
  if (type.kind === 'map') return decodeMap(value, position, decoding);
  if (type.kind === 'list') return decodeList(value, type, position, path, decoding);
  if (type.kind === 'struct') return decodeStruct(value, type, position, path, decoding);
  return decodeScalar(value, type, position, decoding);
}

/** What Go makes of null: an empty value, or nothing if the field is a pointer. */
function emptyOf(type: Type): unknown {
  if (type.kind === 'struct') return structOf(type.fields, new Map());
  return type.kind === 'text' && type.keepsEmpty === true ? '' : undefined;
}

type Scalar = Extract<Type, { readonly keepsEmpty?: boolean }>;

function decodeScalar(value: unknown, type: Scalar, position: DecodePosition, decoding: Decoding): unknown {
  const wanted = { text: 'string', int: 'number', flag: 'bool' }[type.kind];
  if (jsonType(value) !== wanted) return refuse(jsonType(value), type.name, position, decoding);
  if (typeof value === 'number' && !isInt64(value)) {
    return refuse(`number ${JSON.stringify(value)}`, type.name, position, decoding);
  }
  return (value === '' || value === 0 || value === false) && type.keepsEmpty !== true ? undefined : value;
}

/** A problem with a time is reported even if there was another one before it. */
function decodeTime(value: unknown, { struct, fields }: DecodePosition): unknown {
  if (typeof value === 'string') return parsedTime(value);
  throw new DecodeError(cannot(jsonType(value), `struct field ${struct}.${fields.join('.')} of type string`));
}

function decodeMap(value: unknown, position: DecodePosition, decoding: Decoding): unknown {
  if (!isObject(value)) return refuse(jsonType(value), 'map[string]string', position, decoding);
  const entries = sortedEntries(value).map(([name, member]) => {
    return [name, decode(member, text, position, '', decoding) ?? ''] as const;
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

type List = Extract<Type, { readonly kind: 'list' }>;

function decodeList(value: unknown, type: List, position: DecodePosition, path: string, decoding: Decoding): unknown {
  if (!Array.isArray(value)) return refuse(jsonType(value), type.name, position, decoding);
  const items = value.map((item, i) => decode(item, type.item, position, `${path}[${i}]`, decoding) ?? '');
  return items.length === 0 ? undefined : items;
}

type Struct = Extract<Type, { readonly kind: 'struct' }>;

function decodeStruct(
  value: unknown,
  type: Struct,
  position: DecodePosition,
  path: string,
  decoding: Decoding,
): unknown {
  if (!isObject(value)) return refuse(jsonType(value), `v1.${type.name}`, position, decoding);
  const decoded = new Map<string, unknown>();
  for (const [name, member] of sortedEntries(value)) {
    const field = type.fields.get(name);
    const fieldPath = path === '' ? name : `${path}.${name}`;
    if (field === undefined) decoding.unknown.add(fieldPath);
    else {
      const inside = { struct: type.name, fields: [...position.fields, name] };
      decoded.set(name, decode(member, field, inside, fieldPath, decoding));
    }
  }
  return structOf(type.fields, decoded);
}

/** The members in the order of Go's struct, with the texts that are written even if they are empty. */
function structOf(fields: ReadonlyMap<string, Type>, decoded: ReadonlyMap<string, unknown>): Members {
  const entries = [...fields].map(([name, type]) => [name, decoded.get(name) ?? emptyOf(type)] as const);
  return Object.fromEntries(entries.filter(([, member]) => member !== undefined));
}

/** Only the first problem is kept. */
function refuse(found: string, wanted: string, { struct, fields }: DecodePosition, decoding: Decoding): undefined {
  const target =
    struct === '' ? `value of type ${wanted}` : `struct field ${struct}.${fields.join('.')} of type ${wanted}`;
  decoding.problem ??= cannot(found, target);
  return undefined;
}

function cannot(found: string, target: string): string {
  return `json: cannot unmarshal ${found} into Go ${target}`;
}

function jsonType(value: unknown): string {
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'bigint') return 'number';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** Kubernetes reads the fields in the order of their names. */
function sortedEntries(value: Members): readonly (readonly [string, unknown])[] {
  return Object.entries(value).sort(([a], [b]) => byBytes(a, b));
}
