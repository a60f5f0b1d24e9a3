import type protobuf from 'protobufjs/light.js';
import { isObject } from '../../system/object/is-object.js';
import { integerOf } from '../json/exact.js';
import { timestampOf } from './times.js';
import { isSpecial, jsonName, perType, type SpecialMessage, typeNamed } from './types.js';

type Values = Readonly<Record<string, unknown>>;
type Convert = (value: unknown) => unknown;

interface FieldWriter {
  readonly name: string;
  readonly jsonName: string;
  readonly convert: Convert;
}

/** The message of a JSON object. Members that the message does not have are left out, as Go does. */
export function messageOf(type: protobuf.Type, object: Values): Record<string, unknown> {
  const message: Record<string, unknown> = {};
  for (const { name, jsonName: as, convert } of membersOf(type)) {
    const value = object[as];
    if (value !== undefined && value !== null) message[name] = convert(value);
  }
  return message;
}

const membersOf = perType((type): readonly FieldWriter[] =>
  type.fieldsArray.map((field) => ({
    name: field.name,
    jsonName: jsonName(field),
    convert: collected(field, converting(field)),
  })),
);

function collected(field: protobuf.Field, convert: Convert): Convert {
  if (field.map) return (value) => mapOf(isObject(value) ? value : {}, convert);
  if (!field.repeated) return convert;
  return (value) => (Array.isArray(value) ? value.map((item) => convert(item)) : []);
}

function mapOf(object: Values, convert: Convert): Values {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, convert(value)]));
}

function converting(field: protobuf.Field): Convert {
  const { type } = field;
  if (isSpecial(type)) return SPECIAL[type];
  const scalar = SCALARS[type];
  if (scalar !== undefined) return scalar;
  const message = field.resolve().resolvedType as protobuf.Type;
  return (value) => messageOf(message, isObject(value) ? value : {});
}

/** A text has all digits of a whole number. A double beyond 2^53 is the integer that it is written as in JSON. */
function int64(value: unknown): number | string {
  const number = typeof value === 'bigint' ? value : Number(value);
  const isSmall = typeof number === 'number' && (Number.isSafeInteger(number) || !Number.isInteger(number));
  return isSmall ? number : String(integerOf(number));
}

const SCALARS: Readonly<Record<string, Convert>> = {
  string: (value) => String(value ?? ''),
  bool: (value) => value === true,
  int32: Number,
  int64,
  double: Number,
  bytes: (value) => Buffer.from(String(value), 'base64'),
};

const schemaOf = (value: unknown): Values =>
  messageOf(typeNamed('ApiextensionsV1JSONSchemaProps'), isObject(value) ? value : {});
const raw = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value));
const items: Convert = (list) => ({ items: Array.isArray(list) ? list.map(String) : [] });

const SPECIAL: Readonly<Record<SpecialMessage, Convert>> = {
  MetaV1Time: (text) => timestampOf(String(text), 0),
  MetaV1MicroTime: (text) => timestampOf(String(text), 6),
  MetaV1FieldsV1: (fields) => ({ Raw: raw(fields) }),
  RawExtension: (json) => ({ raw: raw(json) }),
  ApiextensionsV1JSON: (json) => ({ raw: raw(json) }),
  IntOrString: (either) =>
    typeof either === 'number' ? { type: 0, intVal: either } : { type: 1, strVal: String(either) },
  AuthenticationV1AttestationValue: items,
  AuthenticationV1ExtraValue: items,
  AuthorizationV1ExtraValue: items,
  ApiextensionsV1JSONSchemaPropsOrArray: (either) =>
    Array.isArray(either) ? { jSONSchemas: either.map(schemaOf) } : { schema: schemaOf(either) },
  // As Go writes it: a schema says that others are allowed.
  ApiextensionsV1JSONSchemaPropsOrBool: (either) =>
    isObject(either) ? { allows: true, schema: schemaOf(either) } : { allows: either === true },
  ApiextensionsV1JSONSchemaPropsOrStringArray: (either) =>
    Array.isArray(either) ? { property: either.map(String) } : { schema: schemaOf(either) },
};
