import type protobuf from 'protobufjs/light.js';
import { type DecodeLimits, decodeJson } from '../json/decode.js';
import { exactNumber } from '../json/exact.js';
import { inexactNumber } from '../json/inexact.js';
import { tooManyValues } from '../status/errors.js';
import { malformed } from './reader.js';
import { type Timestamp, timeText } from './times.js';
import { isKept, isSpecial, jsonName, perType, type SpecialMessage } from './types.js';

type JsonObject = Record<string, unknown>;
type Values = Readonly<Record<string, unknown>>;

/** How many values the object may still have. */
class Budget {
  readonly limits: DecodeLimits;
  #left: number;

  constructor(limits: DecodeLimits) {
    this.limits = limits;
    this.#left = limits.values;
  }

  take(): void {
    if (this.#left-- <= 0) throw tooManyValues(this.limits.values);
  }
}

type Convert = (value: unknown, budget: Budget) => unknown;

interface FieldReader {
  readonly name: string;
  readonly jsonName: string;
  readonly isKept: boolean;
  readonly convert: Convert;
}

/**
 * The JSON of a message that was decoded, as Go writes it. Throws 400 for what JSON cannot have, and 413 for too many
 * values.
 */
export function jsonOf(type: protobuf.Type, message: protobuf.Message, limits: DecodeLimits): JsonObject {
  return objectOf(type, message as unknown as Values, new Budget(limits));
}

function objectOf(type: protobuf.Type, message: Values, budget: Budget): JsonObject {
  const object: JsonObject = {};
  for (const { name, jsonName: as, isKept: keepsZero, convert } of membersOf(type)) {
    if (!Object.hasOwn(message, name)) continue;
    const value = convert(message[name], budget);
    if (value === undefined || (!keepsZero && isZero(value))) continue;
    budget.take();
    object[as] = value;
  }
  return object;
}

/** Go writes plain scalars even when they are zero. */
function isZero(value: unknown): boolean {
  return value === '' || value === 0 || value === false;
}

const membersOf = perType((type): readonly FieldReader[] =>
  type.fieldsArray.map((field) => ({
    name: field.name,
    jsonName: jsonName(field),
    isKept: isKept(field) || isMessage(field),
    convert: collected(field, converting(field)),
  })),
);

/** JSON in a message may be any value. */
const isMessage = (field: protobuf.Field): boolean => field.resolve().resolvedType !== null;

function collected(field: protobuf.Field, convert: Convert): Convert {
  if (field.map) return (map, budget) => entriesOf(map as Values, (item) => convert(item, budget), budget);
  if (field.repeated) return (list, budget) => elementsOf(list as readonly unknown[], convert, budget);
  return convert;
}

function elementsOf(list: readonly unknown[], convert: Convert, budget: Budget): readonly unknown[] | undefined {
  const convertOne = (item: unknown): unknown => {
    budget.take();
    return convert(item, budget);
  };
  return list.length === 0 ? undefined : list.map(convertOne);
}

function entriesOf(map: Values, convert: (value: unknown) => unknown, budget: Budget): JsonObject | undefined {
  const keys = Object.keys(map);
  if (keys.length === 0) return undefined;
  const object: JsonObject = {};
  for (const key of keys) {
    if (key === '__proto__') throw malformed('it has a key "__proto__", which is not allowed');
    budget.take();
    object[key] = convert(map[key]);
  }
  return object;
}

function converting(field: protobuf.Field): Convert {
  const { type, name } = field;
  if (isSpecial(type)) return SPECIAL[type];
  if (type === 'bytes') return (value) => base64(value as Uint8Array);
  if (type === 'int64') return (value) => wholeNumber(name, value);
  if (type === 'double') return (value) => finite(name, value as number);
  const message = field.resolve().resolvedType;
  if (message === null) return (value) => value;
  return (value, budget) => objectOf(message as protobuf.Type, (value ?? {}) as Values, budget);
}

const base64 = ({ buffer, byteOffset, byteLength }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('base64');

/** A Long, or a number if it is small. */
function wholeNumber(name: string, value: unknown): number | bigint {
  const number = exactNumber(String(value));
  if (number === undefined) throw inexactNumber(name, String(value));
  return number;
}

function finite(name: string, value: number): number {
  if (!Number.isFinite(value)) throw malformed(`${name} is not a finite number`);
  return value;
}

/** The fields that were sent. Others have their defaults in the prototype. */
const sent = <Fields>(message: unknown): Partial<Fields> => ({ ...(message as Partial<Fields>) });

function schemaOf(schema: protobuf.Message | undefined, budget: Budget): unknown {
  return schema === undefined ? null : objectOf(schema.$type, schema as unknown as Values, budget);
}

interface Alternatives {
  readonly schema: protobuf.Message;
  readonly jSONSchemas: readonly protobuf.Message[];
  readonly allows: boolean;
  readonly property: readonly string[];
}

const items: Convert = (list) => sent<{ readonly items: readonly string[] }>(list).items ?? [];

const SPECIAL: Readonly<Record<SpecialMessage, Convert>> = {
  MetaV1Time: (time) => timeText(sent<Timestamp>(time), 0),
  MetaV1MicroTime: (time) => timeText(sent<Timestamp>(time), 6),
  MetaV1FieldsV1: (fields, { limits }) => rawJson(sent<{ readonly Raw: Uint8Array }>(fields).Raw, limits),
  RawExtension: (json, { limits }) => rawJson(sent<{ readonly raw: Uint8Array }>(json).raw, limits),
  ApiextensionsV1JSON: (json, { limits }) => rawJson(sent<{ readonly raw: Uint8Array }>(json).raw, limits) ?? null,
  IntOrString: (either) => {
    const { type = 0, intVal = 0, strVal = '' } = sent<Readonly<Record<string, number | string>>>(either);
    return Number(type) === 0 ? intVal : strVal;
  },
  AuthenticationV1AttestationValue: items,
  AuthenticationV1ExtraValue: items,
  AuthorizationV1ExtraValue: items,
  ApiextensionsV1JSONSchemaPropsOrArray: (either, budget) => {
    const { schema, jSONSchemas = [] } = sent<Alternatives>(either);
    return jSONSchemas.length === 0 ? schemaOf(schema, budget) : jSONSchemas.map((item) => schemaOf(item, budget));
  },
  ApiextensionsV1JSONSchemaPropsOrBool: (either, budget) => {
    const { schema, allows = false } = sent<Alternatives>(either);
    return schema === undefined ? allows : schemaOf(schema, budget);
  },
  ApiextensionsV1JSONSchemaPropsOrStringArray: (either, budget) => {
    const { schema, property = [] } = sent<Alternatives>(either);
    return property.length > 0 ? property : schemaOf(schema, budget);
  },
};

function rawJson(bytes: Uint8Array | undefined, limits: DecodeLimits): unknown {
  return bytes === undefined || bytes.length === 0 ? undefined : decodeJson(bytes, limits).value;
}
