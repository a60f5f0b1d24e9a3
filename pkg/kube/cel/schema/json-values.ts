import { integerOf, isNumber } from '../../json/exact.js';
import type { JsonSchema } from '../../structural/json-schema.js';
import { additionalSchema, itemSchema } from '../../structural/schema-parts.js';
import { parseDate, parseTimestamp, TIMESTAMP_OVERFLOW } from '../values/time.js';
import {
  CelError,
  type Dict,
  List,
  type ListType,
  noOverload,
  Timestamp,
  Unknown,
  type Value,
} from '../values/value.js';
import { escapeName, unescapeName } from './escape.js';
import { parseSchemaDuration } from './schema-duration.js';
import { isEmbedded, withMeta } from './shape.js';

/** Makes a value of a part of an object. Lists and objects are views: what is below is converted when it is read. */
export type Converter = (json: unknown) => Value;

const converters = new WeakMap<JsonSchema, Converter>();

/** The converter of a schema. It is made once. */
export function converterOf(schema: JsonSchema): Converter {
  const known = converters.get(schema);
  if (known !== undefined) return known;
  const made = makeConverter(schema);
  converters.set(schema, made);
  return made;
}

const NULL = new CelError('invalid data, got null for schema with nullable=false');

function makeConverter(schema: JsonSchema): Converter {
  const convert = converterOfType(schema);
  const missing = schema.nullable === true ? null : NULL;
  return (json) => (json === null || json === undefined ? missing : convert(json));
}

function converterOfType(schema: JsonSchema): Converter {
  if (schema['x-kubernetes-int-or-string'] === true) return intOrString;
  switch (schema.type) {
    case 'object':
      return objectConverter(schema);
    case 'array':
      return listConverter(schema);
    case 'string':
      return textConverter(schema.format);
    case 'number':
      return (json) => (isNumber(json) ? Number(json) : invalid('float', json));
    case 'integer':
      return (json) => wholeOf(json) ?? invalid('int', json);
    case 'boolean':
      return (json) => (typeof json === 'boolean' ? json : invalid('bool', json));
    default:
      return unknownConverter(schema);
  }
}

function unknownConverter(schema: JsonSchema): Converter {
  if (schema['x-kubernetes-preserve-unknown-fields'] === true) return (json) => new Unknown(json);
  const text =
    'invalid type, expected object, array, number, integer, boolean or string, or no type with x-kubernetes-int-or-string or x-kubernetes-preserve-unknown-fields is true, got ';
  const problem = new CelError(`${text}${schema.type ?? ''}`);
  return () => problem;
}

function intOrString(json: unknown): Value {
  if (typeof json === 'string') return json;
  return wholeOf(json) ?? new CelError('invalid data, expected XIntOrString value to be either a string or integer');
}

/** The int of a number that is one. */
function wholeOf(json: unknown): bigint | undefined {
  return typeof json === 'bigint' || Number.isInteger(json) ? integerOf(json as number | bigint) : undefined;
}

function invalid(expected: string, json: unknown): CelError {
  return new CelError(`invalid data, expected ${expected}, got ${goType(json)}`);
}

function goType(json: unknown): string {
  if (typeof json === 'boolean') return 'bool';
  if (typeof json === 'bigint') return 'int64';
  if (typeof json === 'number') return Number.isInteger(json) ? 'int64' : 'float64';
  if (typeof json === 'string') return 'string';
  return Array.isArray(json) ? '[]interface {}' : 'map[string]interface {}';
}

function textConverter(format: string | undefined): Converter {
  const parse = PARSERS[format ?? ''];
  return (json) => {
    if (typeof json !== 'string') return invalid('string', json);
    return parse === undefined ? json : parse(json);
  };
}

const PARSERS: Readonly<Record<string, (text: string) => Value>> = {
  duration: (text) =>
    parseSchemaDuration(text) ?? new CelError(`Invalid duration ${text}: unable to parse ${text} as duration`),
  date: (text) => parseDate(text) ?? new CelError(`Invalid date formatted string ${text}: it is no date`),
  'date-time': dateTime,
  byte: (text) => {
    const bytes = Buffer.from(text, 'base64');
    return bytes.toString('base64') === text
      ? bytes
      : new CelError(`Invalid byte formatted string ${text}: it is no base64`);
  },
};

/** A time without a zone is one in UTC, and an empty one is 1970. */
function dateTime(text: string): Value {
  if (text === '') return new Timestamp(0n);
  const timestamp = parseTimestamp(text) ?? parseTimestamp(`${text}Z`);
  if (timestamp === undefined || timestamp === TIMESTAMP_OVERFLOW) {
    return new CelError(`Invalid date-time formatted string ${text}: it is no time`);
  }
  return timestamp;
}

function listConverter(schema: JsonSchema): Converter {
  const items = itemSchema(schema);
  const type = (schema['x-kubernetes-list-type'] ?? 'atomic') as ListType;
  const keys = (schema['x-kubernetes-list-map-keys'] ?? []).map((key) => escapeName(key) ?? key);
  const element = items === undefined ? undefined : converterOf(items);
  return (json) => {
    if (!Array.isArray(json))
      return new CelError('invalid data, expected an array for the provided schema with type=array');
    if (element === undefined) return new CelError('invalid array type, expected Items with a non-empty Schema');
    const list: readonly unknown[] = json;
    return new List(list.length, (index) => element(list[index]), { items: list, type, keys });
  };
}

function objectConverter(own: JsonSchema): Converter {
  const schema = isEmbedded(own) ? withMeta(own) : own;
  const isObject = schema.properties != null;
  const properties = schema.properties ?? {};
  const values = additionalSchema(schema);
  const convert = (name: string): Converter | undefined => {
    if (isObject) {
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
      return property === undefined ? undefined : converterOf(property);
    }
    return values === undefined ? undefined : converterOf(values);
  };
  return (json) => {
    if (typeof json !== 'object' || Array.isArray(json)) {
      return new CelError('invalid data, expected a map for the provided schema with type=object');
    }
    return new JsonDict(json as Readonly<Record<string, unknown>>, convert, isObject);
  };
}

/** A view of an object. Members that the schema does not name are counted, but not found. */
class JsonDict implements Dict {
  readonly kind = 'dict';
  readonly json: NonNullable<Dict['json']>;
  readonly #isObject: boolean;

  constructor(
    members: Readonly<Record<string, unknown>>,
    convert: (name: string) => Converter | undefined,
    isObject: boolean,
  ) {
    this.json = { members, convert };
    this.#isObject = isObject;
  }

  get size(): number {
    return Object.keys(this.json.members).length;
  }

  find(key: Value): Value | undefined {
    if (typeof key !== 'string') return noOverload(key);
    const { members, convert } = this.json;
    const name = this.#isObject ? unescapeName(key) : key;
    if (name === undefined || !Object.hasOwn(members, name)) return undefined;
    const json = members[name];
    if (this.#isObject && json === null) return undefined;
    return convert(name)?.(json);
  }

  keys(): readonly Value[] {
    const { members, convert } = this.json;
    const names = Object.keys(members).filter((name) => convert(name) !== undefined);
    return this.#isObject ? names.map((name) => escapeName(name) ?? name) : names;
  }
}
