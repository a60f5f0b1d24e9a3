import { z } from 'zod';
import { corrected, isNull, keysOf, pathOf } from '../../pkg/kube/json/corrected.js';
import { issuesWithMessages, parseSchema, type RawIssue } from '../../pkg/kube/json/parse-schema.js';
import { fieldPath } from '../../pkg/kube/json/scan.js';
import { ObjectMetaInput } from '../../pkg/kube/meta/input.js';
import { withDistinctOwners } from '../../pkg/kube/meta/owners.js';
import type { KubeObject } from '../../pkg/kube/meta/types.js';
import { badRequest } from '../../pkg/kube/status/errors.js';
import type { CauseReason, StatusCause } from '../../pkg/kube/status/status.js';
import type { Members } from '../../pkg/system/object/is-object.js';
import { runSteps, type Steps } from '../../pkg/system/yielding/steps.js';
import type { Kind } from '../kinds/kind.js';
import type { ObjectSchema } from '../kinds/object-schema.js';

export interface DecodedObject {
  readonly object: KubeObject;
  /** Paths of the fields that the schema does not have. They were dropped. */
  readonly unknownFields: readonly string[];
  /** The uids of owners that the body has twice. Each is stored once. */
  readonly repeatedOwners: readonly string[];
}

/** The result of a schema: the data, or the first hundred issues. */
interface Parsed {
  readonly data?: unknown;
  readonly issues: readonly z.core.$ZodIssue[];
  readonly unknownFields: readonly string[];
}

const NONE: readonly never[] = [];
/** A body of 3 MiB may consist of unknown fields. */
const MOST_UNKNOWN = 100;
/** The part of an object that a write is about. The other part is not validated, because the write ignores it. */
export type ObjectPart = 'spec' | 'status';

const IGNORED = z.unknown().optional();
const schemas = { spec: new WeakMap<Kind, z.ZodType>(), status: new WeakMap<Kind, z.ZodType>() } as const;

/** The schema of a whole object of the kind. The OpenAPI documents are generated from the same parts. */
function schemaOf(kind: Kind, part: ObjectPart): z.ZodType {
  let schema = schemas[part].get(kind);
  if (schema === undefined) {
    schema = z.strictObject({
      apiVersion: z.literal(kind.apiVersion),
      kind: z.literal(kind.kind),
      metadata: ObjectMetaInput,
      ...(kind.spec && { spec: part === 'spec' ? kind.spec : IGNORED }),
      ...kind.members?.shape,
      ...(kind.status && { status: part === 'status' ? kind.status.optional() : IGNORED }),
    });
    schemas[part].set(kind, schema);
  }
  return schema;
}

/** How a value is read. */
interface Reading {
  /** Whether it is the body of a request. As in Kubernetes, metadata of the wrong JSON type is a 400 then. */
  readonly isBody?: boolean;
  /** Called with the unknown fields, also before a refusal, because the answer warns of them. It may throw. */
  readonly onUnknown?: ((unknownFields: readonly string[]) => void) | undefined;
  /** Whether an apply has made the value. */
  readonly isApplied?: boolean;
}

/**
 * Reads a body as an object of the kind. Throws 400 if it is not an object of the kind, and Invalid for wrong fields.
 */
export function decodeTyped(kind: Kind, value: unknown, part?: ObjectPart, reading?: Reading): DecodedObject {
  return runSteps(decodeSteps(kind, value, part, reading));
}

/** The same in steps. */
export function* decodeSteps(
  kind: Kind,
  value: unknown,
  part: ObjectPart = 'spec',
  { isBody = false, onUnknown, isApplied = false }: Reading = {},
): Steps<DecodedObject> {
  if (kind.schema !== undefined) refuseOtherKind(kind, value);
  const sent = completeTypeMeta(kind, value, kind.conventions.acceptsBareBodies);
  if (kind.schema !== undefined)
    return yield* decodeBySchema(kind, kind.schema, sent, { isBody, onUnknown, isApplied });
  const { data, issues, unknownFields } = parseFields(schemaOf(kind, part), sent);
  const unknown = kind.status === undefined ? unknownFields : [...unknownFields, ...unknownInOther(kind, sent, part)];
  if (issues.length === 0) return decodedObject(kind, data as KubeObject, unknown);
  onUnknown?.(unknown);
  throw refusal(kind, nameInBody(sent), issues, isBody);
}

/** Reads an object of a kind with a schema of its own. What is wrong with its values is found when it is written. */
function* decodeBySchema(
  kind: Kind,
  schema: ObjectSchema,
  sent: Members,
  { isBody = false, onUnknown, isApplied = false }: Reading,
): Steps<DecodedObject> {
  const metadata = parseFields(METADATA, { metadata: sent['metadata'] });
  const { object, unknownFields, causes } = yield* isApplied ? schema.decodeApplied(sent) : schema.decode(sent);
  const unknown = [...metadata.unknownFields, ...unknownFields];
  if (metadata.issues.length > 0 || causes.length > 0) onUnknown?.(unknown);
  if (metadata.issues.length > 0) throw refusal(kind, nameInBody(sent), metadata.issues, isBody);
  if (causes.length > 0)
    throw isBody ? uncoerced(kind, causes) : kind.conventions.invalid(kind, nameInBody(sent), causes);
  return decodedObject(kind, { ...object, ...(metadata.data as Pick<KubeObject, 'metadata'>) }, unknown);
}

/** As in Kubernetes, an object of the right version is refused in the name of the kind that it says it has. */
function refuseOtherKind(kind: Kind, value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const { apiVersion, kind: other } = value as Members;
  if (apiVersion !== kind.apiVersion || typeof other !== 'string' || other === '' || other === kind.kind) return;
  const shown = show(other);
  const message = `Invalid value: ${JSON.stringify(shown)}: must be ${kind.kind}`;
  const cause: StatusCause = { reason: 'FieldValueInvalid', message, field: 'kind' };
  throw kind.conventions.invalid({ ...kind, kind: shown }, nameInBody(value as Members), [cause]);
}

/** As in Kubernetes, a body with metadata of the wrong types, in it or in an embedded object, is a 400. */
function uncoerced({ kind, version }: Kind, causes: readonly StatusCause[]): Error {
  const what = `${kind} in version ${JSON.stringify(version)} cannot be handled as a ${kind}`;
  return badRequest(`${what}: ${causes.map(({ field, message }) => `${field}: ${message}`).join(', ')}`);
}

const METADATA = z.strictObject({ metadata: ObjectMetaInput });

function decodedObject(kind: Kind, object: KubeObject, unknownFields: readonly string[]): DecodedObject {
  const { metadata, repeated } = withDistinctOwners(placed(kind, object.metadata));
  const distinct = metadata === object.metadata ? object : { ...object, metadata };
  return { object: distinct, unknownFields, repeatedOwners: repeated };
}

/**
 * As in Kubernetes, an object of a kind without namespaces has none, whatever its manifest says: kustomize and Helm
 * write one into all manifests.
 */
export function placed<Metadata extends object>({ scope }: Pick<Kind, 'scope'>, metadata: Metadata): Metadata {
  if (scope === 'Namespaced' || !('namespace' in metadata)) return metadata;
  const { namespace: _, ...placeless } = metadata;
  return placeless as Metadata;
}

function refusal(kind: Kind, name: string, issues: readonly z.core.$ZodIssue[], isBody: boolean): Error {
  const mistyped = isBody ? issues.find(isMistypedMetadata) : undefined;
  return mistyped === undefined ? kind.conventions.invalid(kind, name, causesOf(issues)) : mistypedBody(kind, mistyped);
}

/** An invalid time counts as the wrong type. */
function isMistypedMetadata({ code, input, path: [part] }: z.core.$ZodIssue): boolean {
  return part === 'metadata' && input !== undefined && (code === 'invalid_type' || code === 'invalid_format');
}

/** The answer to a body with a field of the wrong JSON type. */
export function mistypedBody(
  kind: { readonly kind: string; readonly version: string },
  { path, message }: z.core.$ZodIssue,
): Error {
  const what = `${kind.kind} in version ${JSON.stringify(kind.version)} cannot be handled as a ${kind.kind}`;
  return badRequest(`${what}: ${fieldPath(path).slice(0, 300)}: ${message}`);
}

/** The unknown fields of the part that is ignored. */
function unknownInOther(kind: Kind, whole: Readonly<Record<string, unknown>>, part: ObjectPart): readonly string[] {
  const other = part === 'spec' ? 'status' : 'spec';
  const value = whole[other];
  const schema = kind[other];
  if (value === undefined || schema === undefined) return NONE;
  return unknownFieldsOf(parseSchema(schema, value).issues, [other]);
}

/** Parses with a strict schema, and drops unknown fields. */
export function parseFields(schema: z.ZodType, whole: unknown): Parsed {
  const { data, issues } = parseSchema(schema, whole);
  if (issues.length === 0) return { data, issues: NONE, unknownFields: NONE };
  return parseKnown(schema, whole, issues);
}

/** Parses without unknown fields, and with the meaning that nulls have (`corrected`). */
function parseKnown(schema: z.ZodType, whole: unknown, issues: readonly RawIssue[]): Parsed {
  const unknownFields = unknownFieldsOf(issues);
  if (unknownFields.length === 0 && !issues.some(isNull)) return { issues: issuesWithMessages(issues), unknownFields };
  const known = parseSchema(schema, corrected(schema, whole, issues));
  return { data: known.data, issues: issuesWithMessages(known.issues), unknownFields };
}

/** Reads an object of which only the spec can be wrong. Throws Invalid. */
export function decodeSpec(kind: Kind, object: KubeObject): KubeObject {
  if (kind.schema !== undefined) return decodeTyped(kind, object).object;
  const decoded = kind.spec?.safeParse(object.spec);
  return decoded?.success ? { ...object, spec: decoded.data } : decodeTyped(kind, object).object;
}

/**
 * Returns the body with its apiVersion and kind. Throws 400 if they differ from those expected, or are absent and
 * `mayBeBare` is false.
 */
export function completeTypeMeta(
  { apiVersion, kind }: { readonly apiVersion: string; readonly kind: string },
  value: unknown,
  mayBeBare: boolean,
): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw badRequest(`the body must be a JSON object of kind ${kind}`);
  }
  const sent = value as Readonly<Record<string, unknown>>;
  const metadata = sent['metadata'] ?? {};
  if (isBare(value) && mayBeBare) return { ...value, apiVersion, kind, metadata };
  if (sent['kind'] !== kind) {
    throw badRequest(`the kind in the data (${show(sent['kind'])}) does not match the expected kind (${kind})`);
  }
  if (sent['apiVersion'] !== apiVersion) {
    throw badRequest(
      `the API version in the data (${show(sent['apiVersion'])}) does not match the expected API version (${apiVersion})`,
    );
  }
  return { ...value, metadata };
}

/** Whether the body has neither apiVersion nor kind. Callers that are not Kubernetes clients send such bodies. */
export function isBare(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !('apiVersion' in value) && !('kind' in value);
}

function show(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, 100) : value === undefined ? 'none' : typeof value;
}

function nameInBody(whole: Readonly<Record<string, unknown>>): string {
  const name = (whole['metadata'] as { name?: unknown } | null)?.name;
  return typeof name === 'string' ? name.slice(0, 300) : '';
}

/** At most a hundred of them. A body may consist of unknown fields. */
function unknownFieldsOf(issues: readonly RawIssue[], base: readonly string[] = NONE): readonly string[] {
  const unknown: string[] = [];
  for (const issue of issues) {
    if (issue.code !== 'unrecognized_keys') continue;
    const more = keysOf(issue).slice(0, MOST_UNKNOWN - unknown.length);
    for (const key of more) unknown.push(fieldPath([...base, ...pathOf(issue), key]));
    if (unknown.length >= MOST_UNKNOWN) break;
  }
  return unknown;
}

const CAUSES: Readonly<Record<string, CauseReason>> = {
  invalid_type: 'FieldValueTypeInvalid',
  too_big: 'FieldValueTooLong',
  invalid_value: 'FieldValueNotSupported',
};

/** The prefix of zod's messages. A cause already has such a prefix. */
const OPENING = /^Invalid (input|option): /;

/** The causes of an Invalid error. */
export function causesOf(issues: readonly z.core.$ZodIssue[]): readonly StatusCause[] {
  return issues.map(causeOf);
}

function causeOf(issue: z.core.$ZodIssue): StatusCause {
  const missing = issue.code === 'invalid_type' && issue.input === undefined;
  const reason = missing ? 'FieldValueRequired' : (CAUSES[issue.code] ?? 'FieldValueInvalid');
  return {
    reason,
    message: missing ? 'Required value: must not be left out' : `Invalid value: ${issue.message.replace(OPENING, '')}`,
    field: fieldPath(issue.path).slice(0, 300),
  };
}
