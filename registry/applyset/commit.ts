import type { KubeObject } from '../../pkg/kube/meta/types.js';
import { invalid } from '../../pkg/kube/status/errors.js';
import { ApiError } from '../../pkg/kube/status/status.js';
import type { Steps } from '../../pkg/system/yielding/steps.js';
import type { Key } from '../../storage/key.js';
import { decodeObject } from '../../storage/state/codec.js';
import type { Kind } from '../kinds/kind.js';
import { Retries } from '../signals/retry.js';
import { authorizeApply, type Merged, mergeApplied, writeApplied } from '../write/apply.js';
import type { Transaction } from '../write/transaction.js';
import { type Caller, targetOf, type WriteTarget } from '../write/write.js';
import { Conflicts } from './conflicts.js';
import { leavesOf } from './leaves.js';
import { type ApplySetRequest, type ManifestObject, named, placeOf } from './manifest-object.js';
import { MOST_OBJECTS, type PlannedObject } from './messages.js';
import type { ApplySetKinds } from './names.js';
import { inOrder, prerequisites } from './order.js';
import { Plan } from './plan.js';
import { prune } from './prune.js';
import { type AppliedMember, membersOf, recordOf, recordsOf } from './record.js';
import { type ApplyOutcome, remember } from './remember.js';
import { createSet } from './set.js';

/** An object of the request while it is being applied. */
interface Item {
  readonly wanted: ManifestObject;
  readonly target: WriteTarget;
  /** The record of it from the last apply. */
  readonly record: AppliedMember | undefined;
  merged?: Merged;
  planned?: PlannedObject;
  /** What is missing for this object, or for one before it, has to be made before it can be applied. */
  isMissing?: boolean;
  /** The record to store. Absent if it does not change. */
  after?: ApplyOutcome;
  before(): Steps<readonly Item[]>;
  run(): Steps<void>;
}

export interface AppliedSet {
  readonly plan: Plan;
  readonly isCreated: boolean;
}

/**
 * The runs of one transaction share this. Merging depends only on the stored object, so it is done once for each
 * version of it.
 */
export type MergedBefore = Map<ManifestObject, Merged>;

/**
 * Applies all objects of a request in one transaction, in steps. Each is authorized and checked as by its own apply,
 * after the objects that it needs. Then it deletes what is to be pruned, and makes the checks that wait for the end.
 * Throws ApiError; then nothing is written.
 */
export function* applySet(
  outer: Transaction,
  kinds: ApplySetKinds,
  caller: Caller,
  request: ApplySetRequest,
  isPlanned: boolean,
  mergedBefore: MergedBefore,
): Generator<undefined, AppliedSet, undefined> {
  const commit = new SetCommit(outer, kinds, caller, request, mergedBefore);
  return yield* commit.run(isPlanned);
}

class SetCommit {
  readonly #transaction: Transaction;
  readonly #kinds: ApplySetKinds;
  readonly #caller: Caller;
  readonly #request: ApplySetRequest;
  readonly #merged: MergedBefore;
  readonly #plan = new Plan();
  readonly #conflicts = new Conflicts();
  readonly #retries = new Retries();
  readonly #checks: { readonly place: string; check(): void }[] = [];
  readonly #items = new Map<Key, Item>();
  #place = '';

  constructor(
    outer: Transaction,
    kinds: ApplySetKinds,
    caller: Caller,
    request: ApplySetRequest,
    merged: MergedBefore,
  ) {
    this.#transaction = outer.with({ later: (check) => this.#checks.push({ place: this.#place, check }) });
    this.#kinds = kinds;
    this.#caller = caller;
    this.#request = request;
    this.#merged = merged;
  }

  *run(isPlanned: boolean): Generator<undefined, AppliedSet, undefined> {
    const { namespace, name } = this.#request;
    const isNew = createSet(this.#transaction, this.#kinds, this.#caller, { namespace, name });
    const records = yield* this.#records();
    this.#refuseTooMany(records);
    for (const wanted of this.#request.wanted) this.#items.set(wanted.key, this.#item(wanted, records));
    yield* inOrder([...this.#items.values()]);
    this.#retries.throwAll();
    if (!isPlanned) this.#conflicts.refuse();
    const pruned = yield* prune(this.#transaction, this.#plan, {
      caller: this.#caller,
      request: this.#request,
      records,
      isKept: (key) => this.#items.has(key),
    });
    yield* this.#check();
    yield* remember(this.#transaction, this.#kinds, {
      request: this.#request,
      caller: this.#caller,
      items: [...this.#items.values()],
      records,
      forgotten: pruned.members,
      isChanged: isNew || this.#plan.isChanged,
    });
    const planned = [...this.#items.values()].flatMap((item) => item.planned ?? []);
    this.#plan.finish([...planned, ...pruned.planned]);
    return { plan: this.#plan, isCreated: isNew || this.#plan.summary.created > 0 };
  }

  /** The records of the members, by their keys. */
  *#records(): Generator<undefined, ReadonlyMap<Key, AppliedMember>, undefined> {
    const members = new Map<Key, AppliedMember>();
    for (const entry of recordsOf(this.#kinds, this.#transaction.reader, this.#request)) {
      for (const [key, member] of membersOf(recordOf(entry))) members.set(key, member);
      yield;
    }
    return members;
  }

  /**
   * Refuses before the work: other writes wait while it is done. A prune leaves no members but those of the request.
   */
  #refuseTooMany(records: ReadonlyMap<Key, AppliedMember>): void {
    const { wanted, prune, name } = this.#request;
    const others = prune ? 0 : records.size - wanted.filter(({ key }) => records.has(key)).length;
    if (others + wanted.length <= MOST_OBJECTS) return;
    const message = `Too many: the set would have more than ${MOST_OBJECTS} members. Prune it, or use several sets`;
    throw invalid(this.#kinds.sets, name, [{ reason: 'FieldValueTooMany', message, field: 'spec.objects' }]);
  }

  #item(wanted: ManifestObject, records: ReadonlyMap<Key, AppliedMember>): Item {
    const item: Item = {
      wanted,
      target: targetOf(wanted.kind, wanted.namespace, this.#caller, undefined, wanted.requestedKind),
      record: records.get(wanted.key),
      before: () => this.#at(item, this.#before(item), []),
      run: () => this.#at(item, this.#run(item), undefined),
    };
    return item;
  }

  /**
   * Errors say which object they are about. Conflicts are collected, so that people see all of them. What is missing is
   * collected, too.
   */
  *#at<Result>(item: Item, work: Steps<Result>, otherwise: Result): Steps<Result> {
    this.#place = placeOf(item.wanted);
    try {
      return yield* work;
    } catch (error) {
      if (this.#retries.take(error)) {
        item.isMissing = true;
        return otherwise;
      }
      if (!this.#conflicts.take(this.#place, error)) throw named(this.#place, error);
      const { kind, namespace, name } = item.wanted;
      item.planned = this.#plan.entry(kind, namespace, name, 'conflict', (error as ApiError).message);
      return otherwise;
    }
  }

  *#before(item: Item): Steps<readonly Item[]> {
    const { wanted, target } = item;
    if (this.#isKnown(item)) {
      item.planned = this.#plan.entry(wanted.kind, wanted.namespace, wanted.name, 'unchanged');
      return [];
    }
    const merged = yield* this.#merge(item);
    item.merged = merged;
    const keys = prerequisites(this.#transaction.registry, wanted.kind, target.namespace, merged.object);
    return keys.flatMap((key) => this.#items.get(key) ?? []);
  }

  /** The same configuration was applied to the same version before, so it changes nothing. */
  #isKnown({ wanted, target, record }: Item): boolean {
    if (record?.digest === undefined || record.digest !== wanted.digest || record.drift !== undefined) return false;
    const entry = this.#transaction.reader.entry(wanted.kind.qualified, target.namespace, wanted.name);
    if (entry === undefined || entry.revision !== record.revision) return false;
    authorizeApply(this.#transaction, target, wanted.name, entry, () => wanted.configuration().object);
    return true;
  }

  *#merge({ wanted, target }: Item): Steps<Merged> {
    const before = this.#merged.get(wanted);
    const entry = this.#transaction.reader.entry(wanted.kind.qualified, target.namespace, wanted.name);
    if (before !== undefined && before.entry === entry) {
      if (entry !== undefined) authorizeApply(this.#transaction, target, wanted.name, entry, () => before.object);
      return before;
    }
    const merged = yield* mergeApplied(this.#transaction, target, wanted.configuration());
    this.#merged.set(wanted, merged);
    return merged;
  }

  *#run(item: Item): Steps<void> {
    if (item.planned !== undefined || item.isMissing === true) return;
    const { wanted, target } = item;
    const { kind, namespace, name } = wanted;
    // The write of another object may have created this one.
    const merged = this.#isCurrent(item) ? item.merged : yield* this.#merge(item);
    if (merged === undefined) throw new Error('an object was applied before it was merged');
    const written = yield* writeApplied(this.#transaction, target, merged);
    const { object } = written;
    item.planned =
      written.isSame === true
        ? this.#plan.entry(kind, namespace, name, 'unchanged')
        : this.#plan.changed(kind, namespace, name, this.#old(merged), object);
    if (written.isSame !== true) this.#transaction.noteWrite(written.isNew ? 'create' : 'update', target, written);
    // The object itself is not kept: thousands of them would cost more to collect than to make.
    const { object: config, places } = wanted.configuration();
    const leaves = leavesOf(remembered(kind, config), object, places);
    item.after = { leaves, revision: Number(object.metadata.resourceVersion) };
    delete item.merged;
  }

  #isCurrent({ merged, wanted, target }: Item): boolean {
    return merged?.entry === this.#transaction.reader.entry(wanted.kind.qualified, target.namespace, wanted.name);
  }

  #old({ entry }: Merged): KubeObject | undefined {
    return entry && (decodeObject(entry.value) as KubeObject);
  }

  /** The checks that wait for the end, and whether the objects of the request are still there. */
  *#check(): Generator<undefined, void, undefined> {
    for (const { place, check } of this.#checks) {
      try {
        check();
      } catch (error) {
        throw named(place, error);
      }
      yield;
    }
    for (const item of this.#items.values()) {
      const { kind, name } = item.wanted;
      if (
        this.#transaction.reader.entry(kind.qualified, item.target.namespace, name) === undefined &&
        item.planned?.action !== 'conflict'
      )
        throw lost(item.wanted);
      yield;
    }
  }
}

/** Of an object with secrets, only the labels. Somebody could guess a short secret from its digest. */
function remembered({ isConfidential }: Kind, { metadata, ...object }: KubeObject): object {
  return isConfidential === true ? { metadata: { labels: metadata.labels } } : { ...object, metadata };
}

function lost(wanted: ManifestObject): ApiError {
  const message = `${placeOf(wanted)}: the object would be deleted together with an object that the request prunes or changes`;
  return new ApiError({ code: 409, reason: 'Conflict', message });
}
