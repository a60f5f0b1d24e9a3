import type { AuditNotes, ChangedObject } from '../../pkg/audit/notes.js';
import type { KubeObject } from '../../pkg/meta/types.js';
import { ApiError } from '../../pkg/status/status.js';
import { type Cancellation, type Outcome, Steps, type TransactionState } from '../../storage/engine/transaction.js';
import { isStorageError } from '../../storage/errors.js';
import { type AppliedSet, applySet, type MergedBefore } from '../applyset/commit.js';
import { driftSteps, noteDrift } from '../applyset/drift.js';
import type { ApplySetRequest } from '../applyset/wanted.js';
import { readAhead } from '../collection/read-ahead.js';
import { storedKind } from '../kinds/conversion.js';
import type { Kind } from '../kinds/kind.js';
import { namespaceOf, type Registry } from '../kinds/registry.js';
import type { Report } from '../kinds/reports.js';
import { parsedAhead, Reader } from '../read/reader.js';
import { type Retrying, retrying } from '../signals/retry.js';
import { apiErrorOf } from '../signals/storage-errors.js';
import { type AppliedObject, applySteps, type Configuration } from '../write/apply.js';
import { chargeOf } from '../write/charge.js';
import type { CollectorWrite } from '../write/collected.js';
import { createSteps } from '../write/create.js';
import { type DeleteOptions, deletionSteps, NO_DELETE_OPTIONS } from '../write/delete.js';
import { replayable } from '../write/entropy.js';
import { ruled } from '../write/forms.js';
import { timestamp } from '../write/metadata.js';
import { notedSteps } from '../write/noted.js';
import { refuseLargeObjects } from '../write/object-size.js';
import { refuseMorePersonal } from '../write/personal-bytes.js';
import { type PendingRefusal, type PendingReport, reportRefusals, reportsOf } from '../write/reporting.js';
import { updateSteps } from '../write/update.js';
import {
  type Caller,
  type ChangeSteps,
  type SubresourceWrite,
  targetOf,
  type WriteScope,
  type WriteTarget,
  type Written,
} from '../write/write.js';
import { ObjectClient, type ObjectReader } from './objects.js';
import { Transaction } from './transaction.js';

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
  /** Whether the caller can begin again now. Reads outside of transactions then throw Retry in place of waiting for the disk. */
  readonly mayRetry?: (() => boolean) | undefined;
  /** Is called after each commit that stored something, with what the caller should know about it. */
  readonly onStored?: ((warnings: readonly string[]) => void) | undefined;
}

/**
 * Makes the answer to a request from what was written. It is called in the transaction, before the commit: if it throws, nothing is stored, so that a
 * request that is answered with an error has changed nothing. It is pure, because it may be called again. In steps, because the answer may be large.
 */
export type Answering<Result, Answer> = (result: Result) => Generator<undefined, Answer, undefined>;

/**
 * Reads and writes objects as one caller. The resource API, the legacy API, sign-in and the server's own tasks all use it, so the same rules
 * and permissions apply to all of them. Each write is a transaction of its own. `transact` combines several reads and writes.
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
   * `object` must be decoded and must match the schema. Throws ApiError: 403, 409 AlreadyExists, Invalid. For `answer`, see Answering. This and
   * the other writes take objects of the kind that they are called with, which may be stored as those of another kind.
   */
  create(kind: Kind, namespace: string, object: KubeObject): Promise<Written>;
  create<Answer>(
    kind: Kind,
    namespace: string,
    object: KubeObject,
    answer: Answering<Written, Answer>,
  ): Promise<Answer>;
  create(kind: Kind, namespace: string, object: KubeObject, answer?: Answering<Written, unknown>): Promise<unknown> {
    const target = this.#target(kind, namespace);
    const given = ruled(target, object);
    const work = (scope: WriteScope) => notedSteps(scope, 'create', target, createSteps(scope, target, given));
    return this.#runOn(target, object.metadata.name, (scope) => answered(work(scope), answer), given);
  }

  /** Throws ApiError: 403, 404, 409 Conflict, Invalid. If nothing differs, nothing is written. For `subresource`, see Transaction. */
  update(
    kind: Kind,
    namespace: string,
    name: string,
    change: ChangeSteps,
    subresource?: SubresourceWrite,
  ): Promise<Written>;
  update<Answer>(
    kind: Kind,
    namespace: string,
    name: string,
    change: ChangeSteps,
    subresource: SubresourceWrite | undefined,
    answer: Answering<Written, Answer>,
  ): Promise<Answer>;
  async update(
    kind: Kind,
    namespace: string,
    name: string,
    change: ChangeSteps,
    subresource?: SubresourceWrite,
    answer?: Answering<Written, unknown>,
  ): Promise<unknown> {
    const target = this.#target(kind, namespace, subresource);
    const work = (scope: WriteScope) => notedSteps(scope, 'update', target, updateSteps(scope, target, name, change));
    return this.#runOn(target, name, (scope) => answered(work(scope), answer));
  }

  /** Creates the object, or changes the fields of the caller's manager. Throws ApiError: 403, 404, 409 Conflict, Invalid. */
  apply(kind: Kind, namespace: string, config: Configuration, subresource?: SubresourceWrite): Promise<AppliedObject>;
  apply<Answer>(
    kind: Kind,
    namespace: string,
    config: Configuration,
    subresource: SubresourceWrite | undefined,
    answer: Answering<AppliedObject, Answer>,
  ): Promise<Answer>;
  async apply(
    kind: Kind,
    namespace: string,
    config: Configuration,
    subresource?: SubresourceWrite,
    answer?: Answering<AppliedObject, unknown>,
  ): Promise<unknown> {
    const target = this.#target(kind, namespace, subresource);
    const { name } = config.object.metadata;
    return this.#runOn(target, name, (scope) => answered(applySteps(scope, target, config), answer));
  }

  /**
   * Applies many objects in one commit: all of them or none. `revision` is that of the commit, and `warnings` tell what the writes mean for
   * others. Throws ApiError.
   */
  async applySet(request: ApplySetRequest): Promise<AppliedSet & Told> {
    const { applySets } = this.registry;
    if (applySets === undefined) throw new Error('there are no apply sets');
    const { isDryRun = false, ...caller } = this.options;
    const merged: MergedBefore = new Map();
    let warnings: readonly string[] = [];
    const { result, revision } = await this.#transact((scope) => {
      ({ warnings } = scope);
      // The plan of a dry run is that of the commit, with the same refusals. The engine takes the writes back.
      return new Steps(applySet({ ...scope, isDryRun: false }, applySets, caller, request, isDryRun, merged));
    });
    return { ...result, revision, warnings };
  }

  /** Deletes the object and all objects that depend on it. Throws ApiError: 403, 404, 409 Conflict. */
  delete(kind: Kind, namespace: string, name: string, chosen?: DeleteOptions): Promise<Written>;
  delete<Answer>(
    kind: Kind,
    namespace: string,
    name: string,
    chosen: DeleteOptions,
    answer: Answering<Written, Answer>,
  ): Promise<Answer>;
  async delete(
    kind: Kind,
    namespace: string,
    name: string,
    chosen = NO_DELETE_OPTIONS,
    answer?: Answering<Written, unknown>,
  ): Promise<unknown> {
    const target = this.#target(kind, namespace);
    const work = (scope: WriteScope) =>
      answered(notedSteps(scope, 'delete', target, deletionSteps(scope, target, name, chosen)), answer);
    try {
      return await this.#runOn(target, name, work);
    } catch (error) {
      if (!(error instanceof ApiError && isStorageError(error.cause, 'too-large'))) throw error;
      // The objects are deleted, even if the trash cannot keep them.
      return this.#run((scope) => work({ ...scope, isTrashTooLarge: true }));
    }
  }

  /**
   * Runs several reads and writes in one commit: all of them or none. `work` must be pure and synchronous, because it may run again on a newer
   * state. Each read and write sees the writes before it. Rejects with the error that `work` throws.
   */
  transact<Result>(work: (transaction: Transaction) => Result): Promise<Result> {
    return this.#run((scope) => work(new Transaction(scope, this.options)));
  }

  /** The same for work on many objects, which pauses after each of them. No other write runs meanwhile. */
  transactInSteps<Result>(
    work: (transaction: Transaction) => Generator<undefined, Result, undefined>,
  ): Promise<Result> {
    return this.#run((scope) => new Steps(work(new Transaction(scope, this.options))));
  }

  /** Writes of the garbage collector to one object (registry/write/collected.ts). */
  async collect(kind: Kind, namespace: string, name: string, work: CollectorWrite): Promise<void> {
    const target = targetOf(kind, namespace, this.options);
    await this.#run((scope) => new Steps(work(scope, target, name)));
  }

  /** Writes go through the stored kind, because it has the rules. */
  #target(kind: Kind, namespace: string, subresource?: SubresourceWrite): WriteTarget {
    return targetOf(storedKind(this.registry, kind), namespace, this.options, subresource, kind);
  }

  /** A write to one object. What it will read is read ahead, as far as that is known. */
  async #runOn<Result>(
    { kind, namespace }: WriteTarget,
    name: string,
    work: (scope: WriteScope) => Result | Steps<Result>,
    sent?: KubeObject,
  ): Promise<Result> {
    const waiting = readAhead(this.registry, { kind, namespace, name, ...(sent && { sent }) });
    if (waiting !== undefined) await waiting;
    const parsing = parsedAhead(this.registry.reader.entry(kind.qualified, namespace, name));
    if (parsing !== undefined) await parsing;
    return this.#run(work);
  }

  async #run<Result>(work: (scope: WriteScope) => Result | Steps<Result>): Promise<Result> {
    return (await this.#transact(work)).result;
  }

  async #transact<Result>(work: (scope: WriteScope) => Result | Steps<Result>): Promise<Outcome<Result>> {
    const { registry } = this;
    const replay = replayable();
    const { isDryRun = false, signal, audit, onStored } = this.options;
    let changes: ChangedObject[] = [];
    let [reports, refusals]: [PendingReport[], PendingRefusal[]] = [[], []];
    let told: readonly Report[] = [];
    let warnings: string[] = [];
    const charge = isDryRun ? undefined : chargeOf(registry, this.options);
    const end = (scope: WriteScope): void => {
      refuseLargeObjects(scope);
      refuseMorePersonal(scope);
      charge?.take(scope);
      told = reportsOf(this.options.user, reports);
    };
    const time = registry.clock.now();
    const now = timestamp(time);
    const run = (state: TransactionState): Result | Steps<Result> => {
      changes = [];
      charge?.giveBack();
      [reports, refusals, warnings] = [[], [], []];
      // In one literal, because V8 makes slow objects of spreads, and every write reads this one all the time.
      const scope: WriteScope = {
        registry,
        state,
        reader: new Reader(state),
        entropy: replay(),
        now,
        time,
        isDryRun,
        warnings,
        changes: audit === undefined && charge === undefined ? undefined : changes,
        reports,
        refusals,
      };
      return noting(scope, work(scope), end);
    };
    const attempt = (): Promise<Outcome<Result>> => registry.writer.transact({ isDryRun, run }, signal);
    const failed = (error: unknown): never => {
      if (!isDryRun) reportRefusals(registry, refusals);
      if (!isStorageError(error, 'unknown')) charge?.giveBack();
      throw apiErrorOf(error);
    };
    const outcome = await Promise.resolve(retrying(attempt, SAME_REQUEST)).catch(failed);
    // The change is stored, so nothing from here on may fail.
    audit?.changed(changes);
    if (outcome.applied.length > 0) onStored?.(warnings);
    if (!isDryRun) for (const report of told) registry.report?.(report);
    return outcome;
  }
}

/** A transaction begins again with the same request. If its definition has changed, the request must be read again. */
const SAME_REQUEST: Retrying = { accepts: ({ ready }) => ready !== undefined };

/** The steps of a write, and after them those of its answer. Without `answer`, the answer is the result. */
function answered<Result>(
  work: Generator<undefined, Result, undefined>,
  answer: Answering<Result, unknown> | undefined,
): Steps<unknown> {
  return new Steps(answeredSteps(work, answer));
}

/**
 * Not a closure: V8 makes a hidden class for each generator function that is called, outside of the young generation. That of a closure would keep the whole
 * request until the old generation is collected.
 */
function* answeredSteps<Result>(
  work: Generator<undefined, Result, undefined>,
  answer: Answering<Result, unknown> | undefined,
): Generator<undefined, unknown, undefined> {
  const result = yield* work;
  return answer === undefined ? result : yield* answer(result);
}

/** Is called with what a transaction has written, as its last step. */
type End = (scope: WriteScope) => void;

/** At the end of a transaction, its writes are compared with what apply sets applied, the caller is charged, and the reports for people are made. */
function noting<Result>(scope: WriteScope, result: Result | Steps<Result>, end: End): Result | Steps<Result> {
  if (result instanceof Steps) return new Steps(notingSteps(scope, result, end));
  if (!scope.isDryRun) noteDrift(scope);
  end(scope);
  return result;
}

function* notingSteps<Result>(
  scope: WriteScope,
  { work }: Steps<Result>,
  end: End,
): Generator<undefined, Result, undefined> {
  const result = yield* work;
  if (!scope.isDryRun) yield* driftSteps(scope);
  end(scope);
  return result;
}
