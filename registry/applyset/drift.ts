import { isSameJson } from '../../pkg/kube/json/same.js';
import type { KubeObject } from '../../pkg/kube/meta/types.js';
import { type Key, keyOf, partsOf, resourceOf } from '../../storage/key.js';
import { decodeObject } from '../../storage/state/codec.js';
import { type Entry, objectOf } from '../read/reader.js';
import type { Transaction } from '../write/transaction.js';
import { driftedFields } from './leaves.js';
import type { ApplySetKinds } from './names.js';
import { type AppliedMember, BY_MEMBER, memberTuple, type SetRef } from './record.js';
import { RecordChanges } from './record-changes.js';
import { type ApplySetStatus, conditionsOf, statusOf } from './status.js';

/** The fields that a message names. */
const NAMED = 10;
const DELETED = 'it was deleted';

/**
 * Compares what a transaction has written with what apply sets applied, and notes what differs now, or no longer, in
 * the same commit. A write to an object that no set has applied costs one look-up.
 */
export function noteDrift(transaction: Transaction): void {
  for (const _ of driftSteps(transaction));
}

/** The same, in steps. */
export function* driftSteps(transaction: Transaction): Generator<undefined, void, undefined> {
  const { registry, reader, state } = transaction;
  const kinds = registry.applySets;
  if (kinds === undefined || reader.size(kinds.records.qualified) === 0) return;
  const last = new Map<Key, Entry | undefined>();
  for (const { key, entry } of state.written()) last.set(key, entry);
  const changes = new RecordChanges(transaction, kinds);
  const changed = new Map<Key, { readonly set: SetRef; by: number }>();
  for (const [key, entry] of last) {
    if (resourceOf(key) === kinds.records.qualified) continue;
    yield;
    for (const found of reader.entries(kinds.records.qualified, BY_MEMBER, memberTuple(key))) {
      const { set, by } = compareMember(changes, found.key, key, entry);
      if (by === undefined) continue;
      const ref = { namespace: partsOf(found.key).namespace, name: set };
      const setKey = keyOf(kinds.sets.qualified, ref.namespace, ref.name);
      changed.set(setKey, { set: ref, by: (changed.get(setKey)?.by ?? 0) + by });
    }
  }
  yield* changes.write();
  for (const [key, { set, by }] of changed) updateStatus(transaction, kinds, key, set, by);
}

/**
 * Returns the set, and by how much the number of its drifted members changes. `undefined` if nothing about the member
 * changes.
 */
function compareMember(
  changes: RecordChanges,
  recordKey: Key,
  key: Key,
  entry: Entry | undefined,
): { readonly set: string; readonly by: number | undefined } {
  const { set = '', members = {} } = changes.record(recordKey) ?? {};
  const member = members[key];
  const drift = member && entry?.revision !== member.revision ? driftOf(member, entry) : member?.drift;
  if (member === undefined || drift === member.drift) return { set, by: undefined };
  const { drift: before, since = changes.now, ...rest } = member;
  changes.change(recordKey, set, key, { ...rest, ...(drift !== undefined && { drift, since }) });
  return { set, by: Number(drift !== undefined) - Number(before !== undefined) };
}

/** How a member differs from what was applied, in the words of the message. */
export function driftOf({ leaves }: AppliedMember, entry: Entry | undefined): string | undefined {
  if (entry === undefined) return DELETED;
  const fields = driftedFields(leaves, decodeObject(entry.value));
  if (fields.length === 0) return undefined;
  const more = fields.length > NAMED ? ` and ${fields.length - NAMED} more` : '';
  return `${fields.slice(0, NAMED).join(', ').slice(0, 1024)}${more}`;
}

function updateStatus(transaction: Transaction, kinds: ApplySetKinds, key: Key, set: SetRef, by: number): void {
  const { reader } = transaction;
  const entry = reader.entry(kinds.sets.qualified, set.namespace, set.name);
  const old = entry && objectOf(entry);
  const status = old && statusOf(old);
  if (old === undefined || status === undefined) return;
  putStatus(transaction, kinds, key, old, { ...status, drifted: Math.max(0, status.drifted + by) });
}

/** Stores the status with the conditions that follow from it, if it differs. */
export function putStatus(
  transaction: Transaction,
  kinds: ApplySetKinds,
  key: Key,
  object: KubeObject,
  wanted: Omit<ApplySetStatus, 'conditions'>,
): void {
  const { reader, state, now } = transaction;
  const { namespace = '', name } = object.metadata;
  const old = statusOf(object)?.conditions;
  const conditions = conditionsOf(kinds, reader, { namespace, name }, { drifted: wanted.drifted, now, old });
  const status: ApplySetStatus = { ...wanted, conditions };
  if (isSameJson(status, object.status)) return;
  const { resourceVersion: _, ...metadata } = object.metadata;
  const next = { ...object, metadata, status };
  state.put(key, next);
  if (hasBegunToDrift(old, conditions))
    transaction.reports.push({ verb: 'update', kind: kinds.sets, namespace, object: next });
}

function hasBegunToDrift(old: ApplySetStatus['conditions'] | undefined, next: ApplySetStatus['conditions']): boolean {
  const isDrifted = (list: ApplySetStatus['conditions'] = []): boolean =>
    list.some(({ type, status }) => type === 'Drifted' && status === 'True');
  return isDrifted(next) && !isDrifted(old);
}
