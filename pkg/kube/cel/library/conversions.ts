import { isDict } from '../values/dict.js';
import { goDouble, plain } from '../values/go-text.js';
import {
  floorDiv,
  parseDuration,
  parseTimestamp,
  TIMESTAMP_OVERFLOW,
  timestampOf,
  timestampText,
} from '../values/time.js';
import { typeNameOf } from '../values/type-name.js';
import {
  CelError,
  Duration,
  INT_MAX,
  INT_MIN,
  Opaque,
  Timestamp,
  TypeValue,
  UINT_MAX,
  Uint,
  type Value,
} from '../values/value.js';
import { define, type FunctionDef } from './declare.js';

function overloadError(name: string, ...args: readonly Value[]): CelError {
  return new CelError(`no such overload: ${name}(${args.map(typeNameOf).join(', ')})`);
}

function conversionError(value: Value, to: string): CelError {
  return new CelError(`type conversion error from '${typeNameOf(value)}' to '${to}'`);
}

const INT_OVERFLOW = new CelError('integer overflow');
const UINT_OVERFLOW = new CelError('unsigned integer overflow');
const INT_TEXT = /^[+-]?\d+$/;
const UINT_TEXT = /^\d+$/;
const DOUBLE_TEXT = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const DOUBLE_WORD = /^([+-]?)(?:(inf(?:inity)?)|nan)$/i;

function toInt(value: Value): Value {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') return doubleToInt(value);
  if (value instanceof Uint) return value.value > INT_MAX ? INT_OVERFLOW : value.value;
  if (value instanceof Duration) return value.nanos;
  if (value instanceof Timestamp) return floorDiv(value.nanos, 1_000_000_000n);
  if (typeof value !== 'string') return overloadError('int', value);
  const number = INT_TEXT.test(value) && value.length < 400 ? BigInt(value.replace('+', '')) : undefined;
  return number === undefined || number < INT_MIN || number > INT_MAX ? conversionError(value, 'int') : number;
}

function doubleToInt(value: number): Value {
  if (!Number.isFinite(value) || value <= -(2 ** 63) || value >= 2 ** 63) return INT_OVERFLOW;
  return BigInt(Math.trunc(value));
}

function toUint(value: Value): Value {
  if (value instanceof Uint) return value;
  if (typeof value === 'bigint') return value < 0n ? UINT_OVERFLOW : new Uint(value);
  if (typeof value === 'number') {
    return !(value >= 0 && value < 2 ** 64) ? UINT_OVERFLOW : new Uint(BigInt(Math.trunc(value)));
  }
  if (typeof value !== 'string') return overloadError('uint', value);
  const number = UINT_TEXT.test(value) && value.length < 400 ? BigInt(value) : undefined;
  return number === undefined || number > UINT_MAX ? conversionError(value, 'uint') : new Uint(number);
}

function toDouble(value: Value): Value {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof Uint) return Number(value.value);
  if (typeof value !== 'string') return overloadError('double', value);
  const word = DOUBLE_WORD.exec(value);
  if (word !== null) return word[2] === undefined ? Number.NaN : word[1] === '-' ? -Infinity : Infinity;
  const number = DOUBLE_TEXT.test(value) ? Number(value) : Number.NaN;
  return Number.isFinite(number) ? number : conversionError(value, 'double');
}

export function toText(value: Value): Value {
  if (typeof value === 'string') return value;
  if (typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return goDouble(value, 6);
  if (value instanceof Uint) return String(value.value);
  if (value instanceof Timestamp) return timestampText(value);
  if (value instanceof Duration) return durationText(value);
  if (value instanceof Opaque && value.type.startsWith('net.')) return value.key;
  if (value instanceof Uint8Array) return bytesText(value);
  return overloadError('string', value);
}

export function durationText({ nanos }: Duration): string {
  const whole = nanos / 1_000_000_000n;
  return `${plain(Number(whole) + Number(nanos % 1_000_000_000n) / 1e9)}s`;
}

function bytesText(value: Uint8Array): Value {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(value);
  } catch {
    return new CelError('invalid UTF-8 in bytes, cannot convert to string');
  }
}

const TRUE = new Set(['1', 't', 'T', 'TRUE', 'true', 'True']);
const FALSE = new Set(['0', 'f', 'F', 'FALSE', 'false', 'False']);

function toBool(value: Value): Value {
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'string') return overloadError('bool', value);
  if (TRUE.has(value)) return true;
  return FALSE.has(value) ? false : conversionError(value, 'bool');
}

function toBytes(value: Value): Value {
  if (value instanceof Uint8Array) return value;
  return typeof value === 'string' ? Buffer.from(value) : overloadError('bytes', value);
}

function toDuration(value: Value): Value {
  if (value instanceof Duration) return value;
  if (typeof value !== 'string') return overloadError('duration', value);
  return parseDuration(value) ?? conversionError(value, 'google.protobuf.Duration');
}

function toTimestamp(value: Value): Value {
  if (value instanceof Timestamp) return value;
  if (typeof value === 'bigint') {
    const timestamp = timestampOf(value * 1_000_000_000n);
    return timestamp instanceof Timestamp ? timestamp : TIMESTAMP_OVERFLOW;
  }
  if (typeof value !== 'string') return overloadError('timestamp', value);
  return parseTimestamp(value) ?? conversionError(value, 'google.protobuf.Timestamp');
}

function toType(value: Value): Value {
  return new TypeValue(isDict(value) ? 'map' : typeNameOf(value));
}

function from(to: string, ...sources: readonly string[]): readonly string[] {
  return sources.map((source) => `${source}_to_${to}: (${source}) -> ${to}`);
}

const of =
  (convert: (value: Value) => Value) =>
  ([value = null]: readonly Value[]): Value =>
    convert(value);

export const CONVERSIONS: readonly FunctionDef[] = [
  define('type', ['type: (A) -> type(A)'], of(toType)),
  define('bool', from('bool', 'bool', 'string'), of(toBool)),
  define('bytes', from('bytes', 'bytes', 'string'), of(toBytes)),
  define('double', from('double', 'double', 'int', 'string', 'uint'), of(toDouble)),
  define('duration', from('duration', 'duration', 'string'), of(toDuration)),
  define('dyn', ['to_dyn: (A) -> dyn'], ([value = null]) => value),
  define('int', from('int', 'int', 'double', 'duration', 'string', 'timestamp', 'uint'), of(toInt)),
  define(
    'string',
    from('string', 'string', 'bool', 'bytes', 'double', 'duration', 'int', 'timestamp', 'uint', 'ip', 'cidr'),
    of(toText),
  ),
  define('timestamp', from('timestamp', 'timestamp', 'int', 'string'), of(toTimestamp)),
  define('uint', from('uint', 'uint', 'double', 'int', 'string'), of(toUint)),
];

/** The functions that are computed when the expression is compiled, if their argument is a literal. */
export const CONVERSION_NAMES: ReadonlySet<string> = new Set(CONVERSIONS.map(({ name }) => name));
