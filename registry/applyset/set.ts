import type { KubeObject } from '../../pkg/kube/meta/types.js';
import { notFound } from '../../pkg/kube/status/errors.js';
import { createObject } from '../write/create.js';
import type { Transaction } from '../write/transaction.js';
import { authorizeUpdate, type Caller, targetEntry, targetOf } from '../write/write.js';
import { APPLY, type ApplySetKinds, SET_ID, setId } from './names.js';
import type { SetRef } from './record.js';

/** Authorizes an apply of the set, and creates the set if there is none. Returns whether it is new. */
export function createSet(
  transaction: Transaction,
  { sets }: ApplySetKinds,
  caller: Caller,
  { namespace, name }: SetRef,
): boolean {
  const target = targetOf(sets, namespace, caller, { name: APPLY, verb: 'create' });
  const entry = targetEntry(transaction, target, name);
  authorizeUpdate(transaction, target, name, entry);
  if (entry !== undefined) return false;
  const metadata = { name, namespace, labels: { [SET_ID]: setId(sets, namespace, name) } };
  const object: KubeObject = { apiVersion: sets.apiVersion, kind: sets.kind, metadata, spec: {} };
  const whole = targetOf(sets, namespace, caller);
  transaction.noteWrite('create', whole, createObject(transaction, whole, object));
  return true;
}

/** The set as it is in the transaction. */
export function applySetOf({ reader }: Transaction, { sets }: ApplySetKinds, { namespace, name }: SetRef): KubeObject {
  const object = reader.get(sets.qualified, namespace, name);
  if (object === undefined) throw notFound(sets, name);
  return object;
}
