import { isSameJson } from '../../../pkg/kube/json/same.js';
import type { StatusCause } from '../../../pkg/kube/status/status.js';

/** The most bytes that all values together may have (Kubernetes' MaxSecretSize). */
export const MOST_BYTES = 1024 * 1024;
const LONGEST_KEY = 253;
const KEY = /^[-._a-zA-Z0-9]+$/;
const KEY_TEXT =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";

export type Values = Readonly<Record<string, string>>;

export function invalidCause(field: string, message: string): StatusCause {
  return { reason: 'FieldValueInvalid', message: `Invalid value: ${message}`, field };
}

export function requiredCause(field: string): StatusCause {
  return { reason: 'FieldValueRequired', message: 'Required value', field };
}

/** Kubernetes' rules for the keys of data (IsConfigMapKey). */
export function keyCauses(member: string, values: Values = {}): readonly StatusCause[] {
  return Object.keys(values).flatMap((key) =>
    keyProblems(key).map((problem) =>
      invalidCause(`${member}[${key.slice(0, 300)}]`, `${JSON.stringify(key.slice(0, 300))}: ${problem}`),
    ),
  );
}

function keyProblems(key: string): readonly string[] {
  const problems: string[] = [];
  if (key.length > LONGEST_KEY) problems.push(`must be no more than ${LONGEST_KEY} characters`);
  if (!KEY.test(key)) problems.push(KEY_TEXT);
  if (key === '.' || key === '..') problems.push(`must not be '${key}'`);
  else if (key.startsWith('..')) problems.push("must not start with '..'");
  return problems;
}

/** Values in base64 are counted by the bytes that they stand for. */
export function bytesOf(values: Values = {}, isBase64: boolean): number {
  const encoding = isBase64 ? 'base64' : 'utf8';
  return Object.values(values).reduce((sum, value) => sum + Buffer.byteLength(value, encoding), 0);
}

export function sizeCauses(field: string, bytes: number): readonly StatusCause[] {
  if (bytes <= MOST_BYTES) return [];
  return [{ reason: 'FieldValueTooLong', message: `Too long: may not be more than ${MOST_BYTES} bytes`, field }];
}

/** What must not change once `immutable` is set. */
export interface Frozen {
  readonly immutable?: boolean | undefined;
}

/** Kubernetes' rules for immutable objects. `members` are those that hold data. */
export function immutableCauses<Object extends Frozen>(
  object: Object,
  old: Object | undefined,
  members: readonly (keyof Object & string)[],
): readonly StatusCause[] {
  if (old?.immutable !== true) return [];
  const message = 'Forbidden: field is immutable when `immutable` is set';
  const changed = members.filter((member) => !isSameJson(object[member] ?? {}, old[member] ?? {}));
  const fields = [...(object.immutable === true ? [] : ['immutable']), ...changed];
  return fields.map((field) => ({ reason: 'FieldValueForbidden', message, field }));
}
