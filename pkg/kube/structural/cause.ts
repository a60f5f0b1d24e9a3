import type { CauseReason, StatusCause } from '../status/status.js';
import { shownBad, shownList } from './shown.js';

/**
 * Causes in the words of k8s.io/apimachinery/pkg/util/validation/field. `field` is a path of `child`, `key` and
 * `index`; '' is the root.
 */

/** What Kubernetes prints for the path of the root. */
const ROOT = '<nil>';

export function child(path: string, name: string): string {
  if (name === '') return `${path}[]`;
  return path === '' ? name : `${path}.${name}`;
}

export function key(path: string, name: string | number): string {
  return `${path}[${name}]`;
}

/** An undefined value is not shown (`OmitValueType`). */
export function invalid(field: string, value: unknown, detail: string): StatusCause {
  return invalidPrinted(field, printedBad(value), detail);
}

/** `printed` is the value as it is shown. */
export function invalidPrinted(field: string, printed: string | undefined, detail: string): StatusCause {
  return cause('FieldValueInvalid', field, 'Invalid value', printed, detail);
}

export function typeInvalid(field: string, value: unknown, detail: string): StatusCause {
  return cause('FieldValueTypeInvalid', field, 'Invalid value', printedBad(value), detail);
}

export function required(field: string, detail = ''): StatusCause {
  return cause('FieldValueRequired', field, 'Required value', detail);
}

export function duplicate(field: string, value: unknown): StatusCause {
  return cause('FieldValueDuplicate', field, 'Duplicate value', printedBad(value));
}

export function forbidden(field: string, detail: string): StatusCause {
  return cause('FieldValueForbidden', field, 'Forbidden', detail);
}

export function notSupported(field: string, value: unknown, supported: readonly unknown[]): StatusCause {
  return notSupportedPrinted(field, printedBad(value), supported);
}

/** `printed` is the value as it is shown. */
export function notSupportedPrinted(
  field: string,
  printed: string | undefined,
  supported: readonly unknown[],
): StatusCause {
  const detail = supported.length === 0 ? '' : `supported values: ${shownList(supported)}`;
  return cause('FieldValueNotSupported', field, 'Unsupported value', printed, detail);
}

/** Kubernetes says bytes, whatever was counted. */
export function tooLong(field: string, most: number | bigint): StatusCause {
  return cause(
    'FieldValueTooLong',
    field,
    'Too long',
    `may not be more than ${most} byte${Number(most) === 1 ? '' : 's'}`,
  );
}

export function tooMany(field: string, count: number, most: number | bigint): StatusCause {
  const detail = `must have at most ${most} item${Number(most) === 1 ? '' : 's'}`;
  return cause('FieldValueTooMany', field, 'Too many', String(count), detail);
}

/** The parts of the message that are there, as in `Invalid value: "x": must be a number`. */
function cause(reason: CauseReason, field: string, ...parts: readonly (string | undefined)[]): StatusCause {
  const message = parts.filter((part) => part !== undefined && part !== '').join(': ');
  return { reason, message, field: field === '' ? ROOT : field };
}

function printedBad(value: unknown): string | undefined {
  return value === undefined ? undefined : shownBad(value);
}
