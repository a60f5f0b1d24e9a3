import type { StatusCause } from '../../../../pkg/status/status.js';
import { cut, jsonText } from './print.js';
import { quoted } from './quote.js';

/** The causes of Kubernetes' field errors: `Invalid value: "x": must be …`. Paths are texts: `spec.versions[0].name`. */

/** A value that is already printed, as JSON has it. */
export interface Printed {
  readonly printed: string;
}

type Value = string | number | boolean | Printed | readonly string[] | null;

const withDetail = (text: string, detail: string): string => (detail === '' ? text : `${text}: ${detail}`);

function printed(value: Value): string {
  if (typeof value === 'string') return quoted(cut(value));
  if (value !== null && typeof value === 'object' && 'printed' in value) return value.printed;
  return jsonText(value);
}

/** A value that Kubernetes holds behind a pointer or as a type of its own, and therefore prints as JSON. */
export function asJson(value: unknown): Printed {
  return { printed: jsonText(value ?? null) };
}

export function required(field: string, detail = ''): StatusCause {
  return { reason: 'FieldValueRequired', message: withDetail('Required value', detail), field };
}

export function forbidden(field: string, detail: string): StatusCause {
  return { reason: 'FieldValueForbidden', message: withDetail('Forbidden', detail), field };
}

export function invalid(field: string, value: Value, detail: string): StatusCause {
  return { reason: 'FieldValueInvalid', message: withDetail(`Invalid value: ${printed(value)}`, detail), field };
}

export function notSupported(field: string, value: Value, supported: readonly string[]): StatusCause {
  const detail = `supported values: ${supported.map(quoted).join(', ')}`;
  return { reason: 'FieldValueNotSupported', message: `Unsupported value: ${printed(value)}: ${detail}`, field };
}

export function duplicate(field: string, value: string): StatusCause {
  return { reason: 'FieldValueDuplicate', message: `Duplicate value: ${quoted(value)}`, field };
}

export function tooMany(field: string, count: number, max: number): StatusCause {
  return { reason: 'FieldValueTooMany', message: `Too many: ${count}: must have at most ${max} items`, field };
}
