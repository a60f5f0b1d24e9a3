import type { CauseReason, StatusCause } from '../status/status.js';
import { labelValueProblems, qualifiedNameProblems } from './names.js';
import type { ObjectMeta, OwnerReference } from './types.js';

const MAX_ANNOTATION_BYTES = 256 * 1024;
/** The maximum number of finalizers, owners or labels. Without it, a body of 3 MiB could have a hundred thousand. */
const MAX_ENTRIES = 1000;
/** Kubernetes' own finalizers, which exclude each other. */
const EXCLUDING_FINALIZERS = ['orphan', 'foregroundDeletion'];

const PREFIX = {
  FieldValueInvalid: 'Invalid value',
  FieldValueRequired: 'Required value',
  FieldValueTooLong: 'Too long',
  FieldValueTooMany: 'Too many',
  FieldValueDuplicate: 'Duplicate value',
} as const satisfies Partial<Record<CauseReason, string>>;

/**
 * Checks labels, annotations, finalizers and owners. nameProblems checks the name, by the rule of the kind; the server
 * itself sets the other fields. Parts that are the same values as in `valid`, which was checked before, are not checked
 * again.
 */
export function validateObjectMeta(meta: ObjectMeta, valid?: ObjectMeta): readonly StatusCause[] {
  const { labels, annotations, ownerReferences, finalizers } = meta;
  const causes: StatusCause[] = [];
  if (labels !== undefined && labels !== valid?.labels) {
    causes.push(...validateLabels(labels, 'metadata.labels', valid?.labels));
  }
  if (annotations !== undefined && annotations !== valid?.annotations) {
    causes.push(...validateAnnotations(annotations, 'metadata.annotations', valid?.annotations));
  }
  if (ownerReferences !== undefined && ownerReferences !== valid?.ownerReferences) {
    causes.push(...validateOwnerReferences(ownerReferences, 'metadata.ownerReferences'));
  }
  if (finalizers !== undefined && finalizers !== valid?.finalizers) {
    causes.push(...validateFinalizers(finalizers, 'metadata.finalizers'));
  }
  return causes;
}

type StringMap = Readonly<Record<string, string>>;

/** Labels that `valid` has are not checked again. */
function validateLabels(labels: StringMap, field: string, valid: StringMap = {}): readonly StatusCause[] {
  const entries = Object.entries(labels);
  if (entries.length > MAX_ENTRIES) return [tooMany(field)];
  const causes: StatusCause[] = [];
  for (const [key, value] of entries) {
    if (valid[key] === value) continue;
    for (const problem of qualifiedNameProblems(key)) causes.push(invalid(field, key, problem));
    for (const problem of labelValueProblems(value)) causes.push(invalid(field, value, problem));
  }
  return causes;
}

/**
 * Keys follow the rule for labels, but in any case of letters. Values may be any text. Keys and values together have at
 * most 256 KiB. Keys that `valid` has are not checked again.
 */
function validateAnnotations(map: StringMap, field: string, valid: StringMap = {}): readonly StatusCause[] {
  const causes: StatusCause[] = [];
  const entries = Object.entries(map);
  if (entries.length > MAX_ENTRIES) return [tooMany(field)];
  let bytes = 0;
  for (const [key, value] of entries) {
    bytes += Buffer.byteLength(key) + Buffer.byteLength(value);
    if (Object.hasOwn(valid, key)) continue;
    for (const problem of qualifiedNameProblems(key.toLowerCase())) causes.push(invalid(field, key, problem));
  }
  if (bytes <= MAX_ANNOTATION_BYTES) return causes;
  return [cause('FieldValueTooLong', field, `may not be more than ${MAX_ANNOTATION_BYTES} bytes`)];
}

function validateFinalizers(finalizers: readonly string[], field: string): readonly StatusCause[] {
  if (finalizers.length > MAX_ENTRIES) return [tooMany(field)];
  const causes = finalizers.flatMap((finalizer) =>
    qualifiedNameProblems(finalizer).map((problem) => invalid(field, finalizer, problem)),
  );
  if (!EXCLUDING_FINALIZERS.every((finalizer) => finalizers.includes(finalizer))) return causes;
  return [...causes, invalid(field, finalizers, 'finalizer orphan and foregroundDeletion cannot be both set')];
}

function validateOwnerReferences(owners: readonly OwnerReference[], field: string): readonly StatusCause[] {
  if (owners.length > MAX_ENTRIES) return [tooMany(field)];
  const controllers = owners.filter((owner) => owner.controller === true);
  const [first, second] = controllers;
  const causes = owners.flatMap((owner) => validateOwner(owner, field));
  if (first === undefined || second === undefined) return causes;
  const detail = `Only one reference can have Controller set to true. Found "true" in references for ${first.kind}/${first.name} and ${second.kind}/${second.name}`;
  return [...causes, invalid(field, owners, detail)];
}

function validateOwner(owner: OwnerReference, field: string): readonly StatusCause[] {
  const causes: StatusCause[] = [];
  const parts = owner.apiVersion.split('/');
  if (parts.length > 2 || parts.at(-1) === '')
    causes.push(invalid(`${field}.apiVersion`, owner.apiVersion, 'version must not be empty'));
  for (const part of ['kind', 'name', 'uid'] as const) {
    if (owner[part] === '') causes.push(invalid(`${field}.${part}`, '', 'must not be empty'));
  }
  if (owner.apiVersion === 'v1' && owner.kind === 'Event') {
    causes.push(invalid(field, owner, '/v1, Kind=Event is disallowed from being an owner'));
  }
  return causes;
}

function cause(reason: keyof typeof PREFIX, field: string, detail: string): StatusCause {
  return { reason, message: `${PREFIX[reason]}: ${detail}`, field };
}

/** The cause quotes at most 300 characters of the value. */
function invalid(field: string, value: unknown, detail: string): StatusCause {
  const text = JSON.stringify(value);
  return cause('FieldValueInvalid', field, `${text.length > 300 ? `${text.slice(0, 300)}…` : text}: ${detail}`);
}

function tooMany(field: string): StatusCause {
  return cause('FieldValueTooMany', field, `must have at most ${MAX_ENTRIES} items`);
}
