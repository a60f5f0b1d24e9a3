import type { AuditNotes } from '../../pkg/http/audit/notes.js';
import type { KubeObject } from '../../pkg/kube/meta/types.js';
import { ApiError } from '../../pkg/kube/status/status.js';
import { runSteps } from '../../pkg/system/yielding/steps.js';
import {
  type Cancellation,
  type Outcome,
  type TransactionState,
  TransactionSteps,
} from '../../storage/engine/transaction.js';
import { isStorageError } from '../../storage/errors.js';
import { type AppliedSet, applySet, type MergedBefore } from '../applyset/commit.js';
import { driftSteps, noteDrift } from '../applyset/drift.js';
import type { ApplySetRequest } from '../applyset/manifest-object.js';
import { storedKind } from '../kinds/conversion.js';
import type { Kind } from '../kinds/kind.js';
import { namespaceOf, type Registry } from '../kinds/registry.js';
import type { Report } from '../kinds/reports.js';
import { parsedAhead, Reader } from '../read/reader.js';
import { type Retry, retrying } from '../signals/retry.js';
import { apiErrorOf } from '../signals/storage-errors.js';
import { type AppliedObject, applySteps, type Configuration } from '../write/apply.js';
import { chargeOf } from '../write/charge.js';
import type { CollectorWrite } from '../write/collected.js';
import { noteConsequencesTogether } from '../write/consequences.js';
import { createSteps } from '../write/create.js';
import { type DeleteOptions, deletionSteps, NO_DELETE_OPTIONS } from '../write/delete.js';
import { replayable } from '../write/entropy.js';
import { received } from '../write/forms.js';
import { timestamp } from '../write/metadata.js';
import { refuseLargeObjects } from '../write/object-size.js';
import { refuseMorePersonal } from '../write/personal-bytes.js';
import { reportRefusals, reportsOf } from '../write/reporting.js';
import type { Transaction } from '../write/transaction.js';
import { updateSteps } from '../write/update.js';
import {
  type Caller,
  type ChangeSteps,
  type SubresourceWrite,
  targetOf,
  type WriteResult,
  type WriteTarget,
} from '../write/write.js';
import type { ObjectReader } from './object-reader.js';
import { ObjectClient } from './objects.js';
import { ClientTransaction } from './transaction.js';

export type { ObjectReader };

/** The answer to an atomic apply, beside its plan. */
interface Told {
  readonly revision: number;
  readonly warnings: readonly string[];
}

export interface ClientOptions extends Caller {
  /** Requests are checked, but nothing is stored. */
  readonly isDryRun?: boolean;
  readonly signal?: Cancellation | undefined;
  /** Is told what was written, after each commit. */
  readonly audit?: Pick<AuditNotes, 'changed'> | undefined;
  /**
   * Whether the caller can begin again now. Reads outside of transactions then throw Retry in place of parsing a large
   * object.
   */
  readonly mayRetry?: (() => boolean) | undefined;
  /** Is called after each commit that stored something, with what the caller should know about it. */
  readonly onStored?: ((warnings: readonly string[]) => void) | undefined;
}

/**
 * Makes the answer to a request from what was written. It is called in the transaction, before the commit: if it
 * throws, nothing is stored, so that a request that is answered with an error has changed nothing. It is pure, because
 * it may be called again. In steps, because the answer may be large.
 */
export type AnswerSteps<Result, Answer> = (result: Result) => Generator<undefined, Answer, undefined>;

/**
 * Reads and writes objects as one caller. The resource API, the legacy API, sign-in and the server's own tasks all use
 * it, so the same rules and permissions apply to all of them. Each write is a transaction of its own. `transact`
 * combines several reads and writes.
 */
export class Client {
  readonly registry: Registry;
  readonly options: ClientOptions;

  constructor(registry: Registry, options: ClientOptions) {
    this.registry = registry;
    this.options = options;
  }

  /** The objects of a kind in a namespace. The namespace of cluster-scoped kinds is ignored. */
  objects<Spec = unknown>(kind: Kind, namespace = ''): ObjectClient<Spec> {
    return new ObjectClient<Spec>(this, kind, namespaceOf(kind, namespace));
  }

  /**
   * `object` must be decoded and must match the schema. Throws ApiError: 403, 409 AlreadyExists, Invalid. For `answer`,
   * see AnswerSteps. This and the other writes take objects of the kind that they are called with, which may be stored
   * as those of another kind.
   */
  create(kind: Kind, namespace: string, object: KubeObject): Promise<WriteResult>;
  create<Answer>(
    kind: Kind,
    namespace: string,
    object: KubeObject,
    answer: AnswerSteps<WriteResult, Answer>,
  ): Promise<Answer>;
  create(
    kind: Kind,
    namespace: string,
    object: KubeObject,
    answer?: AnswerSteps<WriteResult, unknown>,
  ): Promise<unknown> {
    const target = this.#target(kind, namespace);
    const input = received(target, object);
    const work = (transaction: Transaction) => createSteps(transaction, target, input);
    return this.#runOn(object.metadata.name, { target, work, verb: 'create', answer });
  }

  /**
   * Throws ApiError: 403, 404, 409 Conflict, Invalid. If nothing differs, nothing is written. For `subresource`, see
   * Transaction.
   */
  update(
    kind: Kind,
    namespace: string,
    name: string,
    change: ChangeSteps,
    subresource?: SubresourceWrite,
  ): Promise<WriteResult>;
  update<Answer>(
    kind: Kind,
    namespace: string,
    name: string,
    change: ChangeSteps,
    subresource: SubresourceWrite | undefined,
    answer: AnswerSteps<WriteResult, Answer>,
  ): Promise<Answer>;
  async update(
    kind: Kind,
    namespace: string,
    name: string,
    change: ChangeSteps,
    subresource?: SubresourceWrite,
    answer?: AnswerSteps<WriteResult, unknown>,
  ): Promise<unknown> {
    const target = this.#target(kind, namespace, subresource);
    const work = (transaction: Transaction) => updateSteps(transaction, target, name, change);
    return this.#runOn(name, { target, work, verb: 'update', answer });
  }

  /**
   * Creates the object, or changes the fields of the caller's manager. Throws ApiError: 403, 404, 409 Conflict,
   * Invalid.
   */
  apply(kind: Kind, namespace: string, config: Configuration, subresource?: SubresourceWrite): Promise<AppliedObject>;
  apply<Answer>(
    kind: Kind,
    namespace: string,
    config: Configuration,
    subresource: SubresourceWrite | undefined,
    answer: AnswerSteps<AppliedObject, Answer>,
  ): Promise<Answer>;
  async apply(
    kind: Kind,
    namespace: string,
    config: Configuration,
    subresource?: SubresourceWrite,
    answer?: AnswerSteps<AppliedObject, unknown>,
  ): Promise<unknown> {
    const target = this.#target(kind, namespace, subresource);
    const work = (transaction: Transaction) => applySteps(transaction, target, config);
    return this.#runOn(config.object.metadata.name, { target, work, verb: 'apply', answer });
  }

  /**
   * Applies many objects in one commit: all of them or none. `revision` is that of the commit, and `warnings` tell what
   * the writes mean for others. Throws ApiError.
   */
  async applySet(request: ApplySetRequest): Promise<AppliedSet & Told> {
    const { applySets } = this.registry;
    if (applySets === undefined) throw new Error('there are no apply sets');
    const { isDryRun = false, ...caller } = this.options;
    const merged: MergedBefore = new Map();
    let warnings: readonly string[] = [];
    const { result, revision } = await this.#transact((transaction, end) => {
      ({ warnings } = transaction);
      // The plan of a dry run is that of the commit, with the same refusals. The engine takes the writes back.
      const whole = transaction.with({ isDryRun: false, together: new Map() });
      const steps = new TransactionSteps(applySet(whole, applySets, caller, request, isDryRun, merged));
      return ended(transaction.with({ together: whole.together }), steps, end);
    });
    return { ...result, revision, warnings };
  }

  /** Deletes the object and all objects that depend on it. Throws ApiError: 403, 404, 409 Conflict. */
  delete(kind: Kind, namespace: string, name: string, chosen?: DeleteOptions): Promise<WriteResult>;
  delete<Answer>(
    kind: Kind,
    namespace: string,
    name: string,
    chosen: DeleteOptions,
    answer: AnswerSteps<WriteResult, Answer>,
  ): Promise<Answer>;
  async delete(
    kind: Kind,
    namespace: string,
    name: string,
    chosen = NO_DELETE_OPTIONS,
    answer?: AnswerSteps<WriteResult, unknown>,
  ): Promise<unknown> {
    const target = this.#target(kind, namespace);
    const write = { target, verb: 'delete', answer } as const;
    const work = (transaction: Transaction) => deletionSteps(transaction, target, name, chosen);
    try {
      return await this.#runOn(name, { ...write, work });
    } catch (error) {
      if (!(error instanceof ApiError && isStorageError(error.cause, 'too-large'))) throw error;
      // The objects are deleted, even if the trash cannot keep them.
      return this.#write({ ...write, work: (transaction) => work(transaction.with({ isTrashTooLarge: true })) });
    }
  }

  /**
   * Runs several reads and writes in one commit: all of them or none. `work` must be pure and synchronous, because it
   * may run again on a newer state. Each read and write sees the writes before it. Rejects with the error that `work`
   * throws.
   */
  transact<Result>(work: (transaction: ClientTransaction) => Result): Promise<Result> {
    return this.#run(work);
  }

  /** The same for work on many objects, which pauses after each of them. No other write runs meanwhile. */
  transactInSteps<Result>(
    work: (transaction: ClientTransaction) => Generator<undefined, Result, undefined>,
  ): Promise<Result> {
    return this.#run((transaction) => new TransactionSteps(work(transaction)));
  }

  /** Writes of the garbage collector to one object (registry/write/collected.ts). */
  async collect(kind: Kind, namespace: string, name: string, work: CollectorWrite): Promise<void> {
    const target = targetOf(kind, namespace, this.options);
    await this.#run((transaction) => new TransactionSteps(work(transaction, target, name)));
  }

  /** Writes go through the stored kind, because it has the rules. */
  #target(kind: Kind, namespace: string, subresource?: SubresourceWrite): WriteTarget {
    return targetOf(storedKind(this.registry, kind), namespace, this.options, subresource, kind);
  }

  /** A write to one object, which is parsed in steps first if it is large. */
  async #runOn<Result extends WriteResult>(name: string, write: Write<Result>): Promise<unknown> {
    const { kind, namespace } = write.target;
    const parsing = parsedAhead(this.registry.reader.entry(kind.qualified, namespace, name));
    if (parsing !== undefined) await parsing;
    return this.#write(write);
  }

  async #write<Result extends WriteResult>(write: Write<Result>): Promise<unknown> {
    return (await this.#transact((transaction, end) => new TransactionSteps(drive(transaction, write, end)))).result;
  }

  async #run<Result>(work: (transaction: ClientTransaction) => Result | TransactionSteps<Result>): Promise<Result> {
    const begin = (transaction: ClientTransaction, end: End) => {
      const whole = transaction.with({ together: new Map() });
      return ended(whole, work(whole), end);
    };
    return (await this.#transact(begin)).result;
  }

  async #transact<Result>(
    begin: (transaction: ClientTransaction, end: End) => Result | TransactionSteps<Result>,
  ): Promise<Outcome<Result>> {
    const { registry, options } = this;
    const { isDryRun = false, signal, audit, onStored } = options;
    const replay = replayable();
    const charge = isDryRun ? undefined : chargeOf(registry, options);
    let reports: readonly Report[] = [];
    const end: End = (transaction) => {
      refuseLargeObjects(transaction);
      refuseMorePersonal(transaction);
      charge?.take(transaction);
      reports = reportsOf(options.user, transaction.reports);
    };
    const time = registry.clock.now();
    const now = timestamp(time);
    const hasChanges = audit !== undefined || charge !== undefined;
    let last: ClientTransaction | undefined;
    const run = (state: TransactionState): Result | TransactionSteps<Result> => {
      charge?.giveBack();
      const [reader, entropy] = [new Reader(state), replay()];
      last = new ClientTransaction({ registry, state, reader, entropy, now, time, isDryRun, hasChanges }, options);
      return begin(last, end);
    };
    const failed = (error: unknown): never => {
      if (!isDryRun) reportRefusals(registry, last?.refusals ?? []);
      if (!isStorageError(error, 'unknown')) charge?.giveBack();
      throw apiErrorOf(error);
    };
    const attempt = (): Promise<Outcome<Result>> => registry.writer.transact({ isDryRun, run }, signal);
    const outcome = await Promise.resolve(retrying(attempt, { accepts: isSameRequest, signal })).catch(failed);
    // The change is stored, so nothing from here on may fail.
    audit?.changed(last?.changes ?? []);
    if (outcome.applied.length > 0) onStored?.(last?.warnings ?? []);
    if (!isDryRun) for (const report of reports) registry.report?.(report);
    return outcome;
  }
}

/** A transaction begins again with the same request. If its definition has changed, the request must be read again. */
const isSameRequest = ({ ready }: Retry): boolean => ready !== undefined;

/** A write that a request asks for. */
interface Write<Result extends WriteResult> {
  readonly target: WriteTarget;
  readonly work: (transaction: Transaction) => Generator<undefined, Result, undefined>;
  readonly verb: 'create' | 'update' | 'apply' | 'delete';
  /** Without it, the answer is the result. */
  readonly answer: AnswerSteps<Result, unknown> | undefined;
}

/** Is called with a transaction that has made all its writes. */
type End = (transaction: Transaction) => void;

/**
 * Does a write, notes it, makes its answer, and compares what was written with what apply sets applied.
 *
 * Not a closure: V8 makes a hidden class for each generator function that is called, outside of the young generation.
 * That of a closure would keep the whole request until the old generation is collected.
 */
function* drive<Result extends WriteResult>(
  transaction: Transaction,
  { target, work, verb, answer }: Write<Result>,
  end: End,
): Generator<undefined, unknown, undefined> {
  const result = yield* work(transaction);
  const applied = result.isNew === true ? 'create' : 'update';
  transaction.noteWrite(verb === 'apply' ? applied : verb, target, result);
  const response = answer === undefined ? result : yield* answer(result);
  if (!transaction.isDryRun) yield* driftSteps(transaction);
  end(transaction);
  return response;
}

/** The same for a transaction whose writes note themselves. */
function ended<Result>(
  transaction: Transaction,
  result: Result | TransactionSteps<Result>,
  end: End,
): Result | TransactionSteps<Result> {
  if (result instanceof TransactionSteps) return new TransactionSteps(endedSteps(transaction, result, end));
  runSteps(noteConsequencesTogether(transaction));
  if (!transaction.isDryRun) noteDrift(transaction);
  end(transaction);
  return result;
}

function* endedSteps<Result>(
  transaction: Transaction,
  { work }: TransactionSteps<Result>,
  end: End,
): Generator<undefined, Result, undefined> {
  const result = yield* work;
  yield* noteConsequencesTogether(transaction);
  if (!transaction.isDryRun) yield* driftSteps(transaction);
  end(transaction);
  return result;
}
