import type { KubeObject } from '../../pkg/kube/meta/types.js';
import type { IndexRow } from '../../storage/backend.js';
import type { ResourceReader } from '../../storage/state/resource-state.js';
import { decodeTuple, encodeTuple } from '../../storage/state/tuple.js';
import type { Kind } from './kind.js';

const LABEL_INDEX = 'label';
const FIELD_INDEX = 'field';

/** Many objects have the same label or container. Their rows share its text, if it is short. */
const shared = new Map<string, string>();
const MOST_SHARED = 4096;
const LONGEST_SHARED = 200;

/**
 * The rows by which lists find the objects with a label or with the value of a field (docs/adr/0050). Internal kinds
 * have none, because clients cannot list them.
 */
export function selectorRows(kind: Kind): (object: KubeObject) => readonly IndexRow[] {
  if (!kind.served) return () => [];
  const fields = Object.entries(kind.selectableFields ?? {});
  return (object) => {
    const rows = fields.map(([field, read]) => fieldRow(field, read(object)));
    const { labels } = object.metadata;
    // Labels of the server are different for each object, and have an index of their own.
    for (const key in labels) if (!kind.ownedKeys.labels.includes(key)) rows.push(labelRow(key, labels[key] ?? ''));
    return rows;
  };
}

export function labelRow(key: string, value: string): IndexRow {
  return { index: LABEL_INDEX, tuple: sharedTuple(key, value) };
}

export function fieldRow(field: string, value: string): IndexRow {
  return { index: FIELD_INDEX, tuple: sharedTuple(field, value) };
}

const complete = new WeakMap<object, Map<string, boolean>>();

/** Whether all objects have the row of a field, so that those that are selected are found by it. */
function haveField(objects: ResourceReader, field: string): boolean {
  const known = complete.get(objects.version) ?? new Map<string, boolean>();
  complete.set(objects.version, known);
  let all = known.get(field);
  if (all === undefined) {
    let rows = 0;
    for (const { count } of objects.counts(FIELD_INDEX, encodeTuple([field]), 1)) rows += count;
    all = rows === objects.size;
    known.set(field, all);
  }
  return all;
}

/**
 * Whether a row finds all objects that it selects. One of a field may not, if some objects were stored before the field
 * became selectable.
 */
export function isWhole({ index, tuple }: IndexRow, objects: ResourceReader): boolean {
  if (index !== FIELD_INDEX) return true;
  const [field] = decodeTuple(tuple) ?? [];
  return field !== undefined && haveField(objects, String(field));
}

/**
 * The tuple of both texts. The first has no `=`. Equal short ones are one text in memory, which is also compared at
 * once.
 */
export function sharedTuple(name: string, value: string): string {
  if (name.length + value.length > LONGEST_SHARED) return encodeTuple([name, value]);
  const text = `${name}=${value}`;
  let tuple = shared.get(text);
  if (tuple === undefined) {
    tuple = encodeTuple([name, value]);
    if (shared.size >= MOST_SHARED) shared.clear();
    shared.set(text, tuple);
  }
  return tuple;
}
