import type { StatusCause } from '../../../../pkg/kube/status/status.js';
import { invalidPrinted, notSupportedPrinted } from '../../../../pkg/kube/structural/cause.js';
import { quoted } from '../../../../pkg/kube/structural/go-text.js';
import { cut, jsonText } from './json-text.js';

/**
 * Kubernetes' field errors about values that may be very long, which are cut. All others are in
 * pkg/kube/structural/cause.ts.
 */

/** A value that is already printed, as JSON has it. */
export interface Printed {
  readonly printed: string;
}

type Value = string | number | boolean | Printed | readonly string[] | null;

function printed(value: Value): string {
  if (typeof value === 'string') return quoted(cut(value));
  if (value !== null && typeof value === 'object' && 'printed' in value) return value.printed;
  return jsonText(value);
}

/** A value that Kubernetes holds behind a pointer or as a type of its own, and therefore prints as JSON. */
export function asJson(value: unknown): Printed {
  return { printed: jsonText(value ?? null) };
}

export function invalid(field: string, value: Value, detail: string): StatusCause {
  return invalidPrinted(field, printed(value), detail);
}

export function notSupported(field: string, value: Value, supported: readonly string[]): StatusCause {
  return notSupportedPrinted(field, printed(value), supported);
}
