import { FieldsError } from '../../pkg/kube/fieldmanager/element.js';
import type { ManagerId } from '../../pkg/kube/fieldmanager/managers.js';
import { entriesSteps, hasOnlySpec, isSoleManager, wholeEntry } from '../../pkg/kube/fieldmanager/tracking.js';
import type { Writing } from '../../pkg/kube/fieldmanager/update.js';
import { isSameJson } from '../../pkg/kube/json/same.js';
import type { KubeObject } from '../../pkg/kube/meta/types.js';
import type { Steps } from '../../pkg/system/yielding/steps.js';
import type { Kind } from '../kinds/kind.js';
import { STATUS } from '../kinds/subresource.js';
import { inManagedForm } from './forms.js';
import { type Entries, manageable, trackingOf, withEntries } from './manageable.js';
import type { Transaction } from './transaction.js';
import type { WriteTarget } from './write.js';

/** The manager of what the server writes by itself. */
const SERVER = 'dashboard-apiserver';

/** The manager, type and time of a write. */
export function writingOf({ now }: Transaction, target: WriteTarget, operation: ManagerId['operation']): Writing {
  const { caller, subresource, managedForm } = target;
  const { apiVersion } = managedForm;
  const isTracked = subresource?.name === STATUS || subresource?.managesFields === true;
  const through = isTracked ? { subresource: subresource.name } : {};
  const by = { manager: caller.fieldManager ?? SERVER, operation, apiVersion, ...through };
  return { by, ...trackingOf(managedForm), now };
}

/** As much of the manageable part of an object as a short entry is made of. Most writes need no more. */
function outline({ ownedKeys }: Kind, { metadata, spec }: KubeObject): object {
  const { labels, annotations, finalizers, ownerReferences } = metadata;
  return {
    metadata: {
      labels: hasOthers(labels, ownedKeys.labels),
      annotations: hasOthers(annotations, ownedKeys.annotations),
      finalizers,
      ownerReferences,
    },
    spec,
  };
}

/** True if there are other keys, otherwise undefined, as an absent map. */
function hasOthers(map: object | undefined, keys: readonly string[]): true | undefined {
  for (const key in map) if (!keys.includes(key)) return true;
  return undefined;
}

/** A new object with the entry of its manager, in steps. */
export function* withFirstManager(
  transaction: Transaction,
  target: WriteTarget,
  object: KubeObject,
  sent: Entries | undefined,
): Steps<KubeObject> {
  const { kind, requestedKind } = target;
  if (!requestedKind.served) return object;
  const writing = writingOf(transaction, target, 'Update');
  if (sent === undefined && hasOnlySpec(object, writing))
    return withEntries(object, [wholeEntry(outline(kind, object), writing)]);
  const next = { object: manageable(kind, yield* inManagedForm(target, object)), entries: sent };
  return withEntries(object, yield* tracked(entriesSteps(undefined, next, writing)));
}

/** The entries after an update, in steps. `object` is the new object, or `old` if nothing else changes. */
export function* entriesAfter(
  transaction: Transaction,
  target: WriteTarget,
  object: KubeObject,
  sent: Entries | undefined,
  old: KubeObject,
): Steps<Entries | undefined> {
  const { kind, requestedKind } = target;
  const { managedFields: live } = old.metadata;
  const isRewritten = sent !== undefined && !isSameJson(sent, live);
  if (!requestedKind.served || (object === old && !isRewritten)) return live;
  const writing = writingOf(transaction, target, 'Update');
  if (!isRewritten && live !== undefined && isSoleManager(live, writing.by) && hasOnlySpec(object, writing)) {
    return [wholeEntry(outline(kind, object), writing)];
  }
  const before = { object: manageable(kind, yield* inManagedForm(target, old)), entries: live };
  const next = { object: manageable(kind, yield* inManagedForm(target, object)), entries: sent };
  return yield* tracked(entriesSteps(before, next, writing));
}

/**
 * As in Kubernetes, an object has no managers if its fields cannot be told apart, such as the items of a set that are
 * objects. That is no reason to refuse a write that is not an apply.
 */
function* tracked(entries: Steps<Entries | undefined>): Steps<Entries | undefined> {
  try {
    return yield* entries;
  } catch (error) {
    if (error instanceof FieldsError) return undefined;
    throw error;
  }
}
