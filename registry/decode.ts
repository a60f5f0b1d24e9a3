import { z } from 'zod';
import { fieldPath } from '../pkg/json/scan.js';
import { ObjectMetaInput } from '../pkg/meta/input.js';
import type { KubeObject } from '../pkg/meta/types.js';
import { badRequest, invalid } from '../pkg/status/errors.js';
import type { CauseReason, StatusCause } from '../pkg/status/status.js';
import type { Kind } from './kind.js';

export interface DecodedObject {
  readonly object: KubeObject;
  /** Paths of fields that the schema does not know; they were dropped. */
  readonly unknownFields: readonly string[];
}

const REPORT = { reportInput: true } as const;
/** An array of 3 MiB may be wrong in every element. */
const MOST_CAUSES = 100;
const schemas = new WeakMap<Kind, z.ZodType>();

/** The schema of a whole object of the kind: what is decoded is exactly what OpenAPI shows. */
function schemaOf(kind: Kind): z.ZodType {
  let schema = schemas.get(kind);
  if (schema === undefined) {
    schema = z.strictObject({
      apiVersion: z.literal(kind.apiVersion),
      kind: z.literal(kind.kind),
      metadata: ObjectMetaInput,
      spec: kind.spec,
      ...(kind.status === undefined ? {} : { status: kind.status.optional() }),
    });
    schemas.set(kind, schema);
  }
  return schema;
}

/**
 * Reads a body as an object of the kind. Throws 400 for something else than an object of it, Invalid for wrong fields. A null where the
 * schema has none is an absent member, as for Kubernetes: YAML writes an empty value so.
 */
export function decodeTyped(kind: Kind, value: unknown): DecodedObject {
  const whole = completeTypeMeta(kind, value);
  const schema = schemaOf(kind);
  const first = schema.safeParse(whole, REPORT);
  if (first.success) return { object: first.data as KubeObject, unknownFields: [] };
  const { issues } = first.error;
  const unknownFields = issues.flatMap(unknownFieldsOf);
  const isDifferent = unknownFields.length > 0 || issues.some(isNull);
  const second = isDifferent ? schema.safeParse(without(whole, issues), REPORT) : first;
  if (second.success) return { object: second.data as KubeObject, unknownFields };
  throw invalid(kind, nameOf(whole), second.error.issues.slice(0, MOST_CAUSES).map(causeOf), kind.invalidCode);
}

/** Reads an object of which only the spec can be wrong. Throws Invalid. */
export function decodeSpec(kind: Kind, object: KubeObject): KubeObject {
  const decoded = kind.spec.safeParse(object.spec);
  return decoded.success ? { ...object, spec: decoded.data } : decodeTyped(kind, object).object;
}

function completeTypeMeta(kind: Kind, value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw badRequest(`the body must be a JSON object of kind ${kind.kind}`);
  }
  const { apiVersion, kind: kindName, metadata } = value as Record<string, unknown>;
  if (isBare(value) && kind.bareBodies === true) {
    return { ...value, apiVersion: kind.apiVersion, kind: kind.kind, metadata: metadata ?? {} };
  }
  if (kindName !== kind.kind) {
    throw badRequest(`the kind in the data (${show(kindName)}) does not match the expected kind (${kind.kind})`);
  }
  if (apiVersion !== kind.apiVersion) {
    throw badRequest(
      `the API version in the data (${show(apiVersion)}) does not match the expected API version (${kind.apiVersion})`,
    );
  }
  return { ...value, metadata: metadata ?? {} };
}

/** A body without apiVersion and kind, as callers that are no Kubernetes clients send it. */
export function isBare(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !('apiVersion' in value) && !('kind' in value);
}

function show(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, 100) : value === undefined ? 'none' : typeof value;
}

function nameOf(whole: Readonly<Record<string, unknown>>): string {
  const name = (whole['metadata'] as { name?: unknown } | null)?.name;
  return typeof name === 'string' ? name.slice(0, 300) : '';
}

function unknownFieldsOf(issue: z.core.$ZodIssue): readonly string[] {
  return issue.code === 'unrecognized_keys' ? issue.keys.map((key) => fieldPath([...issue.path, key])) : [];
}

/** A null that the schema does not take, as a member of an object. */
function isNull({ input, path }: z.core.$ZodIssue): boolean {
  return input === null && path.length > 1 && typeof path.at(-1) === 'string';
}

/** A copy without the keys that were not recognized, and without nulls. */
function without(whole: unknown, issues: readonly z.core.$ZodIssue[]): unknown {
  const copy = structuredClone(whole);
  const at = (path: readonly PropertyKey[]): Record<PropertyKey, unknown> =>
    path.reduce<unknown>((object, step) => (object as Record<PropertyKey, unknown>)[step], copy) as never;
  for (const issue of issues) {
    const last = issue.path.at(-1);
    if (issue.code === 'unrecognized_keys') for (const key of issue.keys) delete at(issue.path)[key];
    else if (isNull(issue) && last !== undefined) delete at(issue.path.slice(0, -1))[last];
  }
  return copy;
}

const CAUSES: Readonly<Record<string, CauseReason>> = {
  invalid_type: 'FieldValueTypeInvalid',
  too_big: 'FieldValueTooLong',
  invalid_value: 'FieldValueNotSupported',
};

/** How zod begins what a cause begins with already. */
const OPENING = /^Invalid (input|option): /;

function causeOf(issue: z.core.$ZodIssue): StatusCause {
  const missing = issue.code === 'invalid_type' && issue.input === undefined;
  const reason = missing ? 'FieldValueRequired' : (CAUSES[issue.code] ?? 'FieldValueInvalid');
  return {
    reason,
    message: missing ? 'Required value: must not be left out' : `Invalid value: ${issue.message.replace(OPENING, '')}`,
    field: fieldPath(issue.path).slice(0, 300),
  };
}
