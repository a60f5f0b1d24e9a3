import { canonicalJson } from '../../pkg/kube/json/canonical.js';
import type { Sent } from './sequences.js';
import type { Got } from './session.js';

type Json = Readonly<Record<string, unknown>>;

/** The parts of an answer that must be the same on both servers. */
export interface Comparable {
  readonly status: number;
  readonly headers: Json;
  readonly body: unknown;
}

/** The headers that clients read. */
const HEADERS = ['content-type', 'warning', 'retry-after', 'location', 'allow'] as const;
/** Metadata that each server sets itself. */
const OWN = new Set([
  'uid',
  'resourceVersion',
  'creationTimestamp',
  'managedFields',
  'annotations',
  'labels',
  'deletionTimestamp',
]);

/**
 * An answer without what differs between any two servers: uids, versions, times, tokens, and keys of the server itself.
 */
export function comparable({ path }: Sent, { status, headers, body }: Got): Comparable {
  return { status, headers: headersOf(headers), body: bodyOf(path.split('/')[0] ?? '', body) };
}

export function headersOf(headers: Got['headers']): Json {
  return Object.fromEntries(
    HEADERS.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]] as const])),
  );
}

function bodyOf(plural: string, body: unknown): unknown {
  if (!isJson(body)) return body;
  if (body['kind'] === 'Status') return statusOf(plural, body);
  const { items, metadata, ...rest } = body;
  if (Array.isArray(items)) {
    const { remainingItemCount } = metadata as Json;
    const sorted = items.map((item) => objectOf(item as Json)).sort(inOrder);
    return { ...rest, items: sorted, remainingItemCount };
  }
  return objectOf(body);
}

export function objectOf(object: Json): Json {
  const { metadata = {}, ...rest } = object as { readonly metadata?: Json };
  const kept = Object.fromEntries(Object.entries(metadata).filter(([name]) => !OWN.has(name)));
  const { managedFields, annotations, labels, deletionTimestamp } = metadata;
  return {
    ...rest,
    metadata: {
      ...kept,
      labels: withoutOwn(labels),
      annotations: withoutOwn(annotations),
      isTerminating: deletionTimestamp !== undefined,
      managedFields: managersOf(managedFields as readonly Json[] | undefined),
    },
  };
}

function withoutOwn(map: unknown): Json | undefined {
  const entries = Object.entries((map ?? {}) as Json).filter(([key]) => !key.startsWith('svc.app/'));
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** If updates are the only entry, it has no fields here (docs/adr/0028). */
function managersOf(entries: readonly Json[] = []): readonly Json[] {
  const [only] = entries;
  const isLone = entries.length === 1 && only?.['operation'] === 'Update';
  return entries.map(({ time: _, fieldsV1, ...entry }) => ({ ...entry, ...(!isLone && { fieldsV1 }) })).sort(inOrder);
}

/** Compares codes, reasons and fields, which are for programs, but not messages, which are for people. */
function statusOf(plural: string, { status, reason, code, details = {} }: Json): Json {
  const {
    uid: _,
    causes = [],
    kind,
    ...more
  } = details as { readonly causes?: readonly Json[]; readonly [name: string]: unknown };
  const fields = causes.map((cause) => `${cause['field']} ${isOfSpec(cause) ? '' : cause['reason']}`).sort();
  const isNamed = reason !== 'Conflict' && plural !== '';
  return { status, reason, code, details: { ...more, ...(isNamed && { kind }), fields: [...new Set(fields)] } };
}

/** Causes of a wrong spec have the same field, but not always the same reason (docs/wire-contract.md, section 6). */
const isOfSpec = ({ field }: Json): boolean => String(field).startsWith('spec');

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);
const text = (value: unknown): string => JSON.stringify(value);
/** Each server has its own order of members. */
const inOrder = (one: unknown, other: unknown): number =>
  canonicalJson(JSON.parse(text(one))).localeCompare(canonicalJson(JSON.parse(text(other))));

/** The first place where two values differ, with both values. */
export function firstDifference(ours: unknown, theirs: unknown, path = ''): string | undefined {
  if (Object.is(ours, theirs)) return undefined;
  const isBoth = typeof ours === 'object' && typeof theirs === 'object' && ours !== null && theirs !== null;
  if (!isBoth || Array.isArray(ours) !== Array.isArray(theirs))
    return `${path}: ${text(ours)} here, ${text(theirs)} there`;
  for (const key of new Set([...Object.keys(ours), ...Object.keys(theirs)])) {
    const found = firstDifference((ours as Json)[key], (theirs as Json)[key], `${path}.${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
}
