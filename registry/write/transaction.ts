import type { ChangedObject } from '../../pkg/http/audit/notes.js';
import type { Steps } from '../../pkg/system/yielding/steps.js';
import type { TransactionState } from '../../storage/engine/transaction.js';
import type { Kind } from '../kinds/kind.js';
import type { Registry } from '../kinds/registry.js';
import type { ObjectChange, Strategy, WriteContext } from '../kinds/strategy.js';
import type { Reader } from '../read/reader.js';
import type { PendingRefusal, PendingReport } from './reporting.js';

/** Random values that are the same each time a transaction runs. */
export interface Entropy {
  uid(): string;
  /** Names that begin with `base`. The first free one is used. */
  names(base: string, maxLength: number): readonly string[];
}

/** What one run of a transaction begins with. */
export interface TransactionContext {
  readonly registry: Registry;
  readonly state: TransactionState;
  readonly reader: Reader;
  readonly entropy: Entropy;
  /** RFC 3339 in seconds. */
  readonly now: string;
  /** The same time in milliseconds since the epoch. */
  readonly time: number;
  readonly isDryRun: boolean;
  /** Whether somebody asks for the changes. */
  readonly hasChanges: boolean;
}

/** What further writes of the same transaction are made with. */
type Overrides = Partial<Pick<Transaction, 'isDryRun' | 'isTrashTooLarge' | 'later' | 'together' | 'entropy'>>;

/** What a request writes to one kind in one namespace, by names. */
interface Together {
  readonly strategy: Strategy;
  readonly context: WriteContext;
  readonly changes: Map<string, ObjectChange>;
}

/** The object that a write is about. */
interface Subject {
  readonly kind: Kind;
  readonly requestedKind: Kind;
  readonly namespace: string;
}

/** What a write has done, as far as it is noted. */
interface Noted {
  readonly object: PendingReport['object'];
  readonly isSame?: boolean;
  readonly took?: ReadonlyMap<string, number>;
}

/** A write that a request asked for. */
export interface NotedChange extends ChangedObject {
  readonly kind: Kind;
}

/** One run of a transaction: the state that its writes see, and what they note for others. */
export class Transaction {
  readonly registry: Registry;
  readonly state: TransactionState;
  readonly reader: Reader;
  readonly entropy: Entropy;
  readonly now: string;
  readonly time: number;
  readonly isDryRun: boolean;
  /** The store could not commit the deletion together with what the trash keeps of it. */
  readonly isTrashTooLarge: boolean = false;
  /** Takes checks that are made at the end of the transaction, where a request writes many objects. */
  readonly later: ((check: () => void) => void) | undefined = undefined;
  /** Takes writes whose consequences are noted at the end, by kind and namespace, where a request writes many. */
  readonly together: Map<string, Together> | undefined = undefined;
  /** Advice for the author of the writes. */
  readonly warnings: string[] = [];
  /** The writes that the request asked for, in order, for the audit log. */
  readonly changes: NotedChange[] | undefined;
  /** The writes that people are told about after the commit. */
  readonly reports: PendingReport[] = [];
  /** The writes that were refused, which people are told about if the transaction fails. */
  readonly refusals: PendingRefusal[] = [];

  constructor({ registry, state, reader, entropy, now, time, isDryRun, hasChanges }: TransactionContext) {
    this.registry = registry;
    this.state = state;
    this.reader = reader;
    this.entropy = entropy;
    this.now = now;
    this.time = time;
    this.isDryRun = isDryRun;
    this.changes = hasChanges ? [] : undefined;
  }

  /** The same transaction, with the same notes, whose writes are made in another way. */
  with(overrides: Overrides): this {
    return Object.assign(Object.create(Object.getPrototypeOf(this)), this, overrides);
  }

  /**
   * Notes a write that a request asked for, for the audit log and for reports. Its consequences, such as deletions of
   * dependents, are not noted.
   */
  noteWrite(
    verb: ChangedObject['verb'],
    { kind, requestedKind, namespace }: Subject,
    { object, isSame, took }: Noted,
  ): void {
    this.changes?.push({ verb, kind: requestedKind, namespace, metadata: object.metadata });
    const isTold = kind.reports?.written !== undefined && isSame !== true && !this.isDryRun;
    if (isTold) this.reports.push({ verb, kind, namespace, object, ...(took && { took }) });
  }

  /**
   * The same steps. If they are refused, this is noted for the kinds that report it. A write that its caller has given
   * up is not a refusal.
   */
  noteRefusal<Result>({ kind, namespace }: Subject, name: string, steps: Steps<Result>): Steps<Result> {
    if (kind.reports?.refused === undefined) return steps;
    return refusable(steps, (error) => this.refusals.push({ kind, namespace, name, error }));
  }
}

function* refusable<Result>(steps: Steps<Result>, onRefusal: (error: unknown) => void): Steps<Result> {
  for (;;) {
    let step: IteratorResult<undefined, Result>;
    try {
      step = steps.next();
    } catch (error) {
      onRefusal(error);
      throw error;
    }
    if (step.done === true) return step.value;
    yield;
  }
}
