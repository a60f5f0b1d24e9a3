import { isTerminating, type KubeObject } from '../../pkg/meta/types.js';
import { invalid, notFound } from '../../pkg/status/errors.js';
import { decodeObject, withRevision } from '../../storage/codec.js';
import { keyOf } from '../../storage/key.js';
import { retainDeleted } from '../history/retain-deleted.js';
import { type Entry, objectOf } from '../reader.js';
import { containedKinds } from '../registry.js';
import { type CascadeItem, cascade, released } from './cascade.js';
import { disowned, orphans, removedOf } from './owners.js';
import { checkPreconditions, type Preconditions } from './prepare.js';
import { authorizeEntry, targetEntry, type WriteScope, type WriteTarget, type Written, writeContext } from './write.js';

export interface DeleteOptions {
  readonly preconditions: Preconditions;
  /** `propagationPolicy=Orphan`: the objects that the object owns stay. */
  readonly orphan: boolean;
  /** Query parameters that the kind declares in `deleteOptions`. */
  readonly parameters: ReadonlyMap<string, string>;
  /** The object is a namespace, and the collector has found no object of an uncached kind in it. */
  readonly isEmptied?: boolean;
}

export const NO_DELETE_OPTIONS: DeleteOptions = { preconditions: {}, orphan: false, parameters: new Map() };

/**
 * Deletes an object and all objects that depend on it. Throws 403, 404, 409 Conflict, and the errors of the strategies. Returns the last state
 * of the object, or its terminating state if finalizers hold it.
 */
export function deleteObject(scope: WriteScope, target: WriteTarget, name: string, options: DeleteOptions): Written {
  const { kind } = target;
  const entry = targetEntry(scope, target, name);
  authorizeEntry(scope, target, 'delete', name, entry);
  if (entry === undefined) throw notFound(kind, name);
  checkPreconditions(kind, objectOf(entry), options.preconditions);
  checkOrphan(scope, target, name, options.orphan);
  const items = cascade(scope.registry, scope.reader, kind, entry, options);
  checkCascade(scope, target, items, options.parameters);
  return removeAll(scope, target, entry, items, options.orphan);
}

function removeAll(
  scope: WriteScope,
  target: WriteTarget,
  entry: Entry,
  items: readonly CascadeItem[],
  orphan: boolean,
): Written {
  const { registry, reader, state } = scope;
  const { kind } = target;
  // All objects are found before the first one is removed.
  const own = items.at(-1);
  const isGone = own?.stays === false;
  const waiting = isGone ? released(registry, reader, kind, own.object) : [];
  const orphaned = orphan ? orphans(registry, reader, objectOf(entry), items) : [];
  const removed = [...items.filter(({ stays }) => !stays), ...waiting].map(removedOf);
  const warnings = retainDeleted(scope, target, removed);
  let value = entry.value;
  for (const item of items) {
    const written = removeOne(scope, item);
    if (item === own) value = written;
  }
  for (const one of waiting) state.delete(one.entry.key);
  for (const one of orphaned) state.put(one.key, disowned(registry, objectOf(one), objectOf(entry)));
  const object = decodeObject(value) as KubeObject;
  return { value, object, isGone, took: countsOf(items.slice(0, -1)), ...(warnings.length > 0 && { warnings }) };
}

function countsOf(items: readonly CascadeItem[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { kind } of items) if (kind.served) counts.set(kind.kind, (counts.get(kind.kind) ?? 0) + 1);
  return counts;
}

/** The last state of the object, with the revision of the write. */
function removeOne({ state, now, isDryRun }: WriteScope, { entry, object, stays }: CascadeItem): Entry['value'] {
  const { value, revision, key } = entry;
  if (!stays) {
    const at = state.delete(key);
    return isDryRun ? value : withRevision(value, at);
  }
  if (isTerminating(object)) return value;
  const written = state.put(key, terminating(object, now)).value;
  return isDryRun ? withRevision(written, revision) : written;
}

function checkOrphan({ registry }: WriteScope, { kind }: WriteTarget, name: string, orphan: boolean): void {
  if (!orphan || containedKinds(registry, kind).length === 0) return;
  const message = 'Forbidden: Orphan is not supported, because the contents of this object cannot exist without it';
  throw invalid(kind, name, [{ reason: 'FieldValueForbidden', message, field: 'propagationPolicy' }]);
}

/** Calls `validateDelete` of the strategies of all objects. */
function checkCascade(
  scope: WriteScope,
  target: WriteTarget,
  items: readonly CascadeItem[],
  parameters: ReadonlyMap<string, string>,
): void {
  // An object that stays terminating counts, too: it grants nothing any more.
  const going = new Set<string>(items.map(({ entry }) => entry.key));
  const isGoing = (resource: string, namespace: string, name: string) => going.has(keyOf(resource, namespace, name));
  const context = writeContext(scope, target);
  for (const { kind, object } of items) {
    // A cascade can start at a cluster-scoped object, such as a user, and reach objects in namespaces.
    const { namespace = '' } = object.metadata;
    kind.strategy?.validateDelete?.(object, { ...context, namespace, isGoing }, parameters);
  }
}

function terminating(object: KubeObject, now: string): KubeObject {
  const { resourceVersion: _, ...metadata } = object.metadata;
  return {
    ...object,
    metadata: {
      ...metadata,
      deletionTimestamp: now,
      deletionGracePeriodSeconds: 0,
      generation: (metadata.generation ?? 1) + 1,
    },
  };
}
