import { canonicalJson } from '../../../pkg/kube/json/canonical.js';
import { shortened } from '../../definitions/shortened.js';
import { type Comparable, headersOf, objectOf } from '../comparable.js';
import type { Got } from '../session.js';
import { DEFINITIONS, type Step } from './steps.js';

type Json = Readonly<Record<string, unknown>>;

/**
 * An answer about a definition or its objects without what differs between any two servers. Messages are compared, too.
 */
export function comparable(step: Step, { status, headers, body }: Got): Comparable {
  const { warning, ...shown } = headersOf(headers);
  const warnings = warning === undefined ? {} : { warning: sorted(warning as readonly string[]) };
  return { status, headers: { ...shown, ...warnings }, body: bodyOf(step, body) };
}

function bodyOf(step: Step, body: unknown): unknown {
  if (!isJson(body)) return body;
  if (step.path.startsWith('/openapi/')) return documentOf(body);
  if (body['kind'] === 'Status') return statusOf(body);
  if (body['kind'] === 'Table') return tableOf(body);
  if (body['kind'] === 'APIResourceList') return resourcesOf(body);
  if (step.path.startsWith(DEFINITIONS)) return withoutEmpty(definitionOf(step, body));
  if (body['kind'] === 'Scale') return scaleOf(body);
  const { items, metadata } = body;
  if (items === null) return { ...body, metadata: undefined, items: [] };
  if (!Array.isArray(items)) return isJson(metadata) ? objectOf(body) : body;
  return { ...body, metadata: undefined, items: sorted(items.map((item) => objectOf(item as Json))) };
}

/** Sorts the causes, because Kubernetes visits members in random order. */
function statusOf({ status, reason, code, message, details = {} }: Json): Json {
  const { uid: _, causes, ...more } = details as Json & { readonly causes?: readonly Json[] };
  const told = causes?.map((cause) => `${cause['reason']} ${cause['field']}: ${shortened(cause['message'])}`).sort();
  return {
    status,
    reason,
    code,
    ...(causes === undefined && code !== 400 && { message }),
    details: { ...more, causes: told },
  };
}

function tableOf({ columnDefinitions, rows, kind, apiVersion }: Json): Json {
  const columns = columnDefinitions as readonly Json[];
  const cellsOf = (row: Json): Json => ({
    cells: (row['cells'] as readonly unknown[]).map((cell, i) =>
      isAge(columns[i], cell) || isCreation(row, cell) ? '<age>' : cell,
    ),
    // Go writes null if there is no object.
    object: isJson(row['object']) ? objectOf(row['object']) : undefined,
  });
  const named = columns.map(({ description: _, ...column }) => column);
  return { kind, apiVersion, columnDefinitions: named, rows: sorted((rows as readonly Json[]).map(cellsOf)) };
}

const isAge = (column: Json | undefined, cell: unknown): boolean =>
  column?.['type'] === 'date' && /^(\d+[smhd])+$/.test(String(cell));

/** A column of another type may show when the object was created. */
const isCreation = ({ object }: Json, cell: unknown): boolean =>
  cell !== undefined && cell === (object as { readonly metadata?: Json } | null)?.metadata?.['creationTimestamp'];

function resourcesOf(body: Json): Json {
  const resources = (body['resources'] as readonly Json[]).map(({ storageVersionHash: _, verbs, ...one }) => ({
    ...one,
    verbs: sorted(verbs as readonly string[]),
  }));
  return { ...body, resources: sorted(resources) };
}

/** Controllers of Kubernetes set the conditions later, so the status is compared only in eventual steps. */
function definitionOf({ isEventual }: Step, body: Json): Json {
  if (!isJson(body['metadata'])) return body;
  const { status, ...object } = body as Json & { readonly status?: Json; readonly metadata: Json };
  const fields = (object.metadata['managedFields'] ?? []) as readonly Json[];
  const metadata = { ...object.metadata, managedFields: fields.filter(({ subresource }) => subresource === undefined) };
  const whole = objectOf({ ...object, metadata });
  if (isEventual !== true) return whole;
  const { conditions = [], ...rest } = status ?? {};
  const told = (conditions as readonly Json[]).map(
    ({ lastTransitionTime: _, observedGeneration: __, type, ...condition }) => [type, condition],
  );
  return { ...whole, status: { ...rest, conditions: Object.fromEntries(told) } };
}

/** Adds replicas of 0, which Go leaves out. */
function scaleOf({ spec, ...scale }: Json): Json {
  const { replicas = 0 } = (spec ?? {}) as Json;
  return { ...objectOf(scale), spec: { replicas } };
}

const VALUES = new Set(['default', 'example']);
const MAPS = new Set(['properties', 'patternProperties', 'definitions', 'dependencies']);

/** Removes what is empty, null or false, which Go leaves out, and this server keeps. */
function withoutEmpty(value: unknown, name = ''): unknown {
  if (VALUES.has(name) || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => withoutEmpty(item));
  const kept = Object.entries(value).filter(([key, one]) => one !== null && (VALUES.has(key) || !isEmpty(key, one)));
  return Object.fromEntries(kept.map(([key, one]) => [key, withoutEmpty(one, key)]));
}

const POINTERS = new Set([
  'x-kubernetes-preserve-unknown-fields',
  'optionalOldSelf',
  'additionalProperties',
  'additionalItems',
]);

function isEmpty(name: string, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return (value === false || value === '') && !POINTERS.has(name);
  return (Array.isArray(value) || MAPS.has(name)) && Object.keys(value).length === 0;
}

function withoutTexts(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (key, one) =>
    key === 'description' && typeof one === 'string' ? undefined : one,
  );
}

/** The schemas of the defined kinds, without metadata and lists, which each server describes in its own words. */
function documentOf(body: Json): Json {
  const { paths, components } = body as { readonly paths: Json; readonly components?: { readonly schemas?: Json } };
  const own = Object.entries((components?.schemas ?? {}) as Readonly<Record<string, Json>>).flatMap(
    ([name, { properties, ...schema }]) => {
      const { apiVersion: _, kind: __, metadata: ___, items: ____, ...members } = (properties ?? {}) as Json;
      const own = withoutTexts({ ...schema, properties: members });
      return /^io\.k8s\.|^autoscaling\.|List$/.test(name) ? [] : [[name, own]];
    },
  );
  return { paths: Object.keys(paths).sort(), schemas: Object.fromEntries(own) };
}

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);
/** Each server has its own order of members. */
const text = (value: unknown): string => canonicalJson(JSON.parse(JSON.stringify(value)));
const sorted = <T>(all: readonly T[]): readonly T[] => [...all].sort((a, b) => text(a).localeCompare(text(b)));
