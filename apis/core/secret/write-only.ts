import { LAST_APPLIED, readLastApplied } from '../../../pkg/kube/fieldmanager/last-applied.js';
import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import { isObject, type Members } from '../../../pkg/system/object/is-object.js';
import type { WriteOnly } from '../../../registry/kinds/write-only.js';

/**
 * `stringData` is written into `data` and never stored, so nothing of the object tells who wrote a key by it.
 * Kubernetes therefore keeps a key that is gone from a manifest, and a secret that was withdrawn stays readable. Here,
 * an apply manages the keys of `data`, and a patch removes them.
 */
export const STRING_DATA: WriteOnly = { stored, merged };

/** A configuration with the keys of `stringData` in `data`. What is wrong stays as it is, so that it is refused. */
function stored(config: KubeObject): KubeObject {
  const { stringData, data, ...rest } = config as KubeObject & { stringData?: unknown; data?: unknown };
  const written = entriesOf(stringData);
  const storedKeys = entriesOf(data);
  if (written === undefined || storedKeys === undefined || written.length + storedKeys.length === 0) return config;
  const all = Object.fromEntries([
    ...storedKeys.map(([key, value]) => [key, sameBytes(value)]),
    ...written.map(([key, text]) => [key, Buffer.from(text).toString('base64')]),
  ]);
  return { ...rest, data: all } as KubeObject;
}

/** The entries of a map of texts, in which null is an empty text. `undefined` for anything else. */
function entriesOf(map: unknown): readonly (readonly [string, string])[] | undefined {
  if (map === undefined || map === null) return [];
  if (!isObject(map)) return undefined;
  const entries = Object.entries(map).map(([key, value]): [string, unknown] => [key, value ?? '']);
  return entries.every((entry): entry is [string, string] => typeof entry[1] === 'string') ? entries : undefined;
}

const BASE64 = /^[A-Za-z0-9+/\s]*={0,2}\s*$/;

/** Base64 in the form in which it is stored. */
function sameBytes(value: string): string {
  return BASE64.test(value) ? Buffer.from(value, 'base64').toString('base64') : value;
}

/** The object without the keys of `data` that a merge patch removes from `stringData`. */
function merged(object: unknown, patch: Members, old: KubeObject): unknown {
  if (!isObject(object) || !isObject(object['data']) || !Object.hasOwn(patch, 'stringData')) return object;
  const gone = removedKeys(patch['stringData'], lastApplied(old));
  const kept = new Set([...namesIn(patch['data']), ...namesIn(patch['stringData']), ...appliedNow(object, old)]);
  const removed = new Set(gone.filter((key) => !kept.has(key)));
  if (removed.size === 0) return object;
  return { ...object, data: Object.fromEntries(Object.entries(object['data']).filter(([key]) => !removed.has(key))) };
}

/**
 * A null in place of all of `stringData` is what kubectl sends if the manifest has none any more: it removes what was
 * applied by it.
 */
function removedKeys(stringData: unknown, last: Members): readonly string[] {
  if (stringData === null) return Object.keys(isObject(last['stringData']) ? last['stringData'] : {});
  if (!isObject(stringData)) return [];
  return Object.keys(stringData).filter((key) => stringData[key] === null);
}

/**
 * The keys that kubectl has in its manifest now, if this patch tells. A key may have moved from `stringData` to `data`.
 */
function appliedNow(object: Members, old: KubeObject): readonly string[] {
  if (annotationOf(object) === annotationOf(old)) return [];
  const next = lastApplied(object);
  return [next['data'], next['stringData']].flatMap((map) => (isObject(map) ? Object.keys(map) : []));
}

function lastApplied(object: Annotated): Members {
  const config = readLastApplied(annotationOf(object));
  return isObject(config) ? config : {};
}

/** An object, whatever is wrong with it. */
interface Annotated {
  readonly metadata?: unknown;
}

function annotationOf({ metadata }: Annotated): unknown {
  const annotations = isObject(metadata) ? metadata['annotations'] : undefined;
  return isObject(annotations) ? annotations[LAST_APPLIED] : undefined;
}

/** The names of members that are not null. */
function namesIn(map: unknown): readonly string[] {
  return isObject(map) ? Object.keys(map).filter((key) => map[key] !== null) : [];
}
