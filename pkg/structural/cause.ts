import type { CauseReason, StatusCause } from '../status/status.js';
import { printedJson, printedNumber, quoted } from './go-text.js';

/** Causes in the words of k8s.io/apimachinery/pkg/util/validation/field. `field` is a path of `child`, `key` and `index`; '' is the root. */

/** What Kubernetes prints for the path of the root. */
const ROOT = '<nil>';

export function child(path: string, name: string): string {
  if (name === '') return `${path}[]`;
  return path === '' ? name : `${path}.${name}`;
}

export function key(path: string, name: string | number): string {
  return `${path}[${name}]`;
}

export function invalid(field: string, value: unknown, detail: string): StatusCause {
  return invalidPrinted(field, printedBad(value), detail);
}

/** `printed` is the value as it is told. */
export function invalidPrinted(field: string, printed: string, detail: string): StatusCause {
  return cause('FieldValueInvalid', field, `Invalid value: ${printed}: ${detail}`);
}

export function typeInvalid(field: string, value: unknown, detail: string): StatusCause {
  return cause('FieldValueTypeInvalid', field, `Invalid value: ${printedBad(value)}: ${detail}`);
}

export function required(field: string, detail = ''): StatusCause {
  return cause('FieldValueRequired', field, detail === '' ? 'Required value' : `Required value: ${detail}`);
}

export function duplicate(field: string, value: unknown): StatusCause {
  return cause('FieldValueDuplicate', field, `Duplicate value: ${printedBad(value)}`);
}

export function forbidden(field: string, detail: string): StatusCause {
  return cause('FieldValueForbidden', field, `Forbidden: ${detail}`);
}

export function notSupported(field: string, value: unknown, supported: readonly string[]): StatusCause {
  const detail = supported.length === 0 ? '' : `: supported values: ${supported.map(quoted).join(', ')}`;
  return cause('FieldValueNotSupported', field, `Unsupported value: ${printedBad(value)}${detail}`);
}

/** Kubernetes says bytes, whatever was counted. */
export function tooLong(field: string, most: number): StatusCause {
  return cause('FieldValueTooLong', field, `Too long: may not be more than ${most} byte${most === 1 ? '' : 's'}`);
}

export function tooMany(field: string, count: number, most: number): StatusCause {
  return cause(
    'FieldValueTooMany',
    field,
    `Too many: ${count}: must have at most ${most} item${most === 1 ? '' : 's'}`,
  );
}

function cause(reason: CauseReason, field: string, message: string): StatusCause {
  return { reason, message, field: field === '' ? ROOT : field };
}

function printedBad(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  return typeof value === 'number' ? printedNumber(value) : printedJson(value);
}
