import { managersOf } from '../../pkg/kube/fieldmanager/managers.js';
import { invalid } from '../../pkg/kube/status/errors.js';
import { type Key, keyOf, partsOf } from '../../storage/key.js';
import type { Kind } from '../kinds/kind.js';
import { kindOf, namespaceOf } from '../kinds/registry.js';
import { type Entry, objectOf } from '../read/reader.js';
import { type DeleteOptions, deletionSteps, NO_DELETE_OPTIONS } from '../write/delete.js';
import type { Transaction } from '../write/transaction.js';
import { unnamed } from '../write/unnamed.js';
import { type Caller, targetOf, writeContext } from '../write/write.js';
import { type ApplySetRequest, named } from './manifest-object.js';
import { MOST_OBJECTS, type PlannedObject } from './messages.js';
import { PART_OF, setId } from './names.js';
import type { Plan } from './plan.js';
import type { AppliedMember } from './record.js';

interface Pruning {
  readonly caller: Caller;
  readonly request: ApplySetRequest;
  /** The records of the members. */
  readonly records: ReadonlyMap<Key, AppliedMember>;
  /** Whether the request has the object. */
  isKept(key: Key): boolean;
}

interface Pruned {
  readonly planned: readonly PlannedObject[];
  /** The keys of the objects that are no longer members. */
  readonly members: ReadonlySet<Key>;
}

interface Candidate {
  readonly kind: Kind;
  readonly namespace: string;
  readonly name: string;
}

/**
 * Deletes the members that the request leaves out, and what its selector selects. Each is authorized as its own delete.
 */
export function* prune(
  transaction: Transaction,
  plan: Plan,
  pruning: Pruning,
): Generator<undefined, Pruned, undefined> {
  const { request } = pruning;
  if (!request.prune) return { planned: [], members: new Set() };
  const members = new Set<Key>();
  const candidates = new Map<Key, Candidate>();
  for (const member of pruning.records.keys()) {
    if (pruning.isKept(member)) continue;
    members.add(member);
    const { resource, namespace, name } = partsOf(member);
    const kind = kindOf(transaction.registry, resource);
    if (kind !== undefined && isMember(transaction, request, kind, member))
      candidates.set(member, { kind, namespace, name });
    yield;
  }
  yield* select(transaction, pruning, candidates);
  if (candidates.size > MOST_OBJECTS) throw tooMany(transaction, request);
  const planned: PlannedObject[] = [];
  yield* deleteAll(transaction, pruning.caller, [...candidates.values()], (candidate, message) => {
    planned.push(plan.entry(candidate.kind, candidate.namespace, candidate.name, 'pruned', message));
  });
  return { planned, members };
}

/** An object without the label of the set is no longer a member. */
function isMember(transaction: Transaction, request: ApplySetRequest, kind: Kind, member: Key): boolean {
  const { sets } = requireSets(transaction);
  const { namespace, name } = request;
  const at = partsOf(member);
  const labels = transaction.reader.entry(kind.qualified, at.namespace, at.name)?.attributes.labels;
  return labels?.[PART_OF] === setId(sets, namespace, name);
}

function requireSets({ registry }: Transaction) {
  if (registry.applySets === undefined) throw new Error('there are no apply sets');
  return registry.applySets;
}

/** Finds what the selector selects, among the kinds and namespaces of the request and of the set. */
function* select(
  transaction: Transaction,
  { request, records, isKept }: Pruning,
  candidates: Map<Key, Candidate>,
): Generator<undefined, void, undefined> {
  const { selector } = request;
  if (selector === undefined) return;
  const places = new Map<string, { readonly kind: Kind; readonly namespace: string }>();
  const add = (kind: Kind | undefined, namespace: string): void => {
    if (kind?.served === true) places.set(keyOf(kind.qualified, namespace, ''), { kind, namespace });
  };
  for (const { kind, namespace } of request.wanted) add(kind, namespace);
  for (const { resource, namespace } of [...records.keys()].map(partsOf))
    add(kindOf(transaction.registry, resource), namespace);
  for (const { kind, namespace } of places.values()) {
    for (const entry of [...transaction.reader.inNamespace(kind.qualified, namespaceOf(kind, namespace))]) {
      const isSelected = !isKept(entry.key) && selector(entry.attributes.labels ?? {}) && isApplied(entry, request);
      if (isSelected) candidates.set(entry.key, { kind, namespace, name: partsOf(entry.key).name });
      yield;
    }
  }
}

/**
 * Deletes only objects that were applied, as `kubectl apply --prune` does. Objects that were made in another way stay.
 */
function isApplied(entry: Entry, { fieldManager }: ApplySetRequest): boolean {
  const managers = managersOf(objectOf(entry).metadata.managedFields);
  return [...managers.values()].some(({ manager, operation }) => operation === 'Apply' && manager === fieldManager);
}

/** An object may keep another one from being deleted, so those that are refused are tried again after the others. */
function* deleteAll(
  transaction: Transaction,
  caller: Caller,
  all: readonly Candidate[],
  done: (one: Candidate, message: string | undefined) => void,
): Generator<undefined, void, undefined> {
  // The trash shows what one request has pruned as one entry.
  const options = { ...NO_DELETE_OPTIONS, operation: transaction.entropy.uid() };
  let left = all;
  while (left.length > 0) {
    const refused: { readonly one: Candidate; readonly error: unknown }[] = [];
    for (const candidate of left) {
      try {
        done(candidate, yield* deleteOne(transaction, caller, candidate, options));
      } catch (error) {
        refused.push({ one: candidate, error });
      }
      yield;
    }
    const [first] = refused;
    if (first !== undefined && refused.length === left.length)
      throw refusal(transaction, caller, first.one, first.error);
    left = refused.map(({ one }) => one);
  }
}

function refusal(transaction: Transaction, caller: Caller, one: Candidate, error: unknown): unknown {
  const context = writeContext(transaction, targetOf(one.kind, one.namespace, caller));
  const shown = unnamed(error, one, context, 'A member cannot be pruned');
  return shown === error ? named(`${one.kind.kind} ${JSON.stringify(one.name)} cannot be pruned`, error) : shown;
}

function* deleteOne(
  transaction: Transaction,
  caller: Caller,
  { kind, namespace, name }: Candidate,
  options: DeleteOptions,
): Generator<undefined, string | undefined, undefined> {
  const target = targetOf(kind, namespace, caller);
  if (transaction.reader.entry(kind.qualified, target.namespace, name) === undefined)
    return 'with the object that it was in';
  const written = yield* deletionSteps(transaction, target, name, options);
  transaction.noteWrite('delete', target, written);
  const took = [...(written.took ?? [])].map(([what, count]) => `${count} ${what}`).join(', ');
  if (!written.isGone) return 'finalizers hold it';
  return took === '' ? undefined : `with ${took}`;
}

function tooMany(transaction: Transaction, { name }: ApplySetRequest): Error {
  const message = `Too many: at most ${MOST_OBJECTS} objects can be pruned at once`;
  return invalid(requireSets(transaction).sets, name, [{ reason: 'FieldValueTooMany', message, field: 'spec.prune' }]);
}
