import { type Parsed, type Problem, pathOfField, placeOf } from '../../../editor/yaml.js';
import { type Answer, ApiError, call } from '../../../lib/api.js';
import { objectPath, pathOf, type Resource } from '../../../lib/discovery.js';
import type { KubeObject } from '../../../lib/object.js';

/** Where an object is to be stored. */
export interface Target {
  readonly resource: Resource;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  /** The version that is replaced. Without one, the object is created. */
  readonly lock: string | undefined;
}

/** Fields of the metadata that are not edited. */
const SERVER_OWNED = ['managedFields', 'resourceVersion'];
/** Fields of a stored object that a new one must not have. */
const STORED = ['uid', 'generation', 'creationTimestamp', 'selfLink'];

function without(object: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, unknown> {
  const metadata = Object.entries((object['metadata'] ?? {}) as Record<string, unknown>);
  return { ...object, metadata: Object.fromEntries(metadata.filter(([name]) => !names.includes(name))) };
}

/** An object as it is edited: without its version and its managers. */
export function edited(object: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return without(object, SERVER_OWNED);
}

/** Stores an object. A dry run only returns what would be stored. */
export function store(
  { resource, namespace, name, lock }: Target,
  object: Readonly<Record<string, unknown>>,
  isDryRun: boolean,
): Promise<Answer<KubeObject>> {
  const query = { fieldValidation: 'Strict', ...(isDryRun && { dryRun: 'All' }) };
  const body = edited(object);
  if (lock === undefined || name === undefined) {
    const { namespace: own } = body['metadata'] as { namespace?: unknown };
    const where = typeof own === 'string' && own !== '' ? own : namespace;
    return call('POST', pathOf(resource, where), { query, body: without(body, STORED) });
  }
  const metadata = { ...(body['metadata'] as object), resourceVersion: lock };
  return call('PUT', objectPath(resource, namespace, name), { query, body: { ...body, metadata } });
}

/** Whether the object was changed since the version that is locked. */
export function isOutdated(error: unknown): boolean {
  return error instanceof ApiError && error.reason === 'Conflict';
}

/** The problems of fields in a refusal, at their places in the text. Without a document, all are at its start. */
export function problemsOf(error: unknown, document: Parsed | undefined): readonly Problem[] {
  if (!(error instanceof ApiError)) return [];
  const fields = error.causes
    .filter(({ field }) => field !== undefined && field !== '')
    .map(({ field = '', message }) => ({ field, message: `${field}: ${message}` }));
  // With Strict, the message names unknown fields, and there are no causes.
  const strict = [...error.message.matchAll(/(unknown|duplicate) field "((?:[^"\\]|\\.)*)"/g)].map(
    ([text, , field = '']) => ({ field, message: text }),
  );
  const exists = error.reason === 'AlreadyExists' ? [{ field: 'metadata.name', message: error.message }] : [];
  return [...fields, ...strict, ...exists].map(({ field, message }) => ({
    message,
    ...(document === undefined ? { from: 0, to: 0 } : placeOf(document, pathOfField(field))),
  }));
}

/** Whether an object was stored after another one. An object with another uid always counts as newer. */
export function isNewer(object: KubeObject, than: KubeObject): boolean {
  const [one = '', other = ''] = [object.metadata.resourceVersion, than.metadata.resourceVersion];
  if (object.metadata.uid !== than.metadata.uid) return true;
  return /^\d+$/.test(one) && /^\d+$/.test(other) ? BigInt(one) > BigInt(other) : one !== other;
}
