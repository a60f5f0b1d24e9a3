import { isSameJson } from '../../pkg/kube/json/same.js';
import { type Key, keyOf, partsOf, resourceOf } from '../../storage/key.js';
import { kindOf } from '../kinds/registry.js';
import type { Transaction } from '../write/transaction.js';
import type { Caller } from '../write/write.js';
import { driftOf, putStatus } from './drift.js';
import type { LeafDigests } from './leaves.js';
import type { ApplySetRequest, ManifestObject } from './manifest-object.js';
import type { ApplySetKinds } from './names.js';
import { type AppliedMember, recordKey } from './record.js';
import { RecordChanges } from './record-changes.js';
import { applySetOf } from './set.js';
import type { ApplySetStatus } from './status.js';

/** The result of an apply for an object. */
export interface ApplyOutcome {
  readonly revision: number;
  readonly leaves: LeafDigests;
}

interface Remembered {
  readonly wanted: ManifestObject;
  readonly record: AppliedMember | undefined;
  readonly after?: ApplyOutcome;
}

interface Outcome {
  readonly request: ApplySetRequest;
  readonly caller: Caller;
  readonly items: readonly Remembered[];
  /** The records of the members before the apply, by their keys. */
  readonly records: ReadonlyMap<Key, AppliedMember>;
  /** The keys of the objects that are no longer members. */
  readonly forgotten: ReadonlySet<Key>;
  readonly isChanged: boolean;
}

/** Remembers what was applied, and says so in the status of the set. If nothing differs, nothing is written. */
export function* remember(
  transaction: Transaction,
  kinds: ApplySetKinds,
  outcome: Outcome,
): Generator<undefined, void, undefined> {
  const { request, caller } = outcome;
  const members = new Map(outcome.records);
  const changes = new RecordChanges(transaction, kinds);
  const change = (member: Key, next: AppliedMember | undefined): void =>
    changes.change(recordKey(kinds, request, member), request.name, member, next);
  for (const key of outcome.forgotten) {
    members.delete(key);
    change(key, undefined);
    yield;
  }
  let isChanged = outcome.isChanged || outcome.forgotten.size > 0;
  for (const item of outcome.items) {
    const next = rememberOne(transaction, item);
    if (next === undefined) continue;
    isChanged ||= item.record === undefined || item.record.drift !== undefined;
    members.set(item.wanted.key, next);
    change(item.wanted.key, next);
    yield;
  }
  yield* changes.write();
  const set = applySetOf(transaction, kinds, request);
  if (!isChanged && set.status !== undefined) return;
  const lastApplied = { by: caller.user.name, fieldManager: request.fieldManager, time: transaction.now };
  const drifted = [...members.values()].filter(({ drift }) => drift !== undefined).length;
  const status = { members: members.size, drifted, inventory: inventoryOf(transaction, members.keys()), lastApplied };
  putStatus(transaction, kinds, keyOf(kinds.sets.qualified, request.namespace, request.name), set, status);
}

/** Returns what is remembered now. `undefined` if it is as before. */
function rememberOne(transaction: Transaction, { wanted, record, after }: Remembered): AppliedMember | undefined {
  if (after === undefined) return undefined;
  const { kind, namespace, name, digest } = wanted;
  const { leaves, revision } = after;
  // Kinds with such hooks take more from a configuration than they store, so equal configurations may have other
  // results.
  const isRepeatable = kind.strategy?.alsoWrite === undefined;
  const entry = transaction.reader.entry(kind.qualified, namespace, name);
  const member: AppliedMember = {
    // Another object of the request may have changed this one, too.
    revision: entry?.revision ?? revision,
    ...(isRepeatable && entry?.revision === revision && { digest }),
    leaves,
  };
  const drift = entry?.revision === revision ? undefined : driftOf(member, entry);
  const next = drift === undefined ? member : { ...member, drift, since: record?.since ?? transaction.now };
  return record !== undefined && isSameJson(record, next) ? undefined : next;
}

function inventoryOf({ registry }: Transaction, members: Iterable<Key>): ApplySetStatus['inventory'] {
  const counts = new Map<string, number>();
  for (const member of members) {
    const { resource, namespace } = partsOf(member);
    const key = keyOf(resource, namespace, '');
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([key, count]) => {
      const kind = kindOf(registry, resourceOf(key as Key));
      const { namespace } = partsOf(key as Key);
      return kind ? [{ group: kind.group, kind: kind.kind, ...(namespace !== '' && { namespace }), count }] : [];
    });
}
