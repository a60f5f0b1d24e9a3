import { goDouble } from './go-text.js';
import { timestampText } from './time.js';
import {
  CelError,
  Duration,
  List,
  Opaque,
  Optional,
  Timestamp,
  TypeValue,
  Uint,
  Unknown,
  type Value,
} from './value.js';

/** The name of the type of a value, as `type(value)` gives it. */
export function typeNameOf(value: Value): string {
  if (value === null) return 'null_type';
  switch (typeof value) {
    case 'boolean':
      return 'bool';
    case 'bigint':
      return 'int';
    case 'number':
      return 'double';
    case 'string':
      return 'string';
    default:
      return typeNameOfObject(value);
  }
}

function typeNameOfObject(value: Value & object): string {
  if (value instanceof List) return 'list';
  if (value instanceof Uint8Array) return 'bytes';
  if (value instanceof Uint) return 'uint';
  if (value instanceof Timestamp) return 'google.protobuf.Timestamp';
  if (value instanceof Duration) return 'google.protobuf.Duration';
  if (value instanceof TypeValue) return 'type';
  if (value instanceof Optional) return 'optional_type';
  if (value instanceof Opaque) return value.type;
  if (value instanceof Unknown) return 'unknown';
  return value instanceof CelError ? 'error' : 'map';
}

/** The value as errors print it. */
export function valueText(value: Value): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return goDouble(value);
  if (value instanceof Uint) return String(value.value);
  if (value instanceof TypeValue) return value.name;
  if (value instanceof Timestamp) return timestampText(value);
  if (value instanceof Optional)
    return value.value === undefined ? 'optional.none()' : `optional(${valueText(value.value)})`;
  if (value instanceof List)
    return `[${Array.from({ length: value.size }, (_, i) => valueText(value.get(i))).join(', ')}]`;
  return String(value);
}
