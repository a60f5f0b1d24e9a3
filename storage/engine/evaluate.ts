import { Yielder } from '../../pkg/system/yielding/yielding.js';
import type { AppliedWrite } from '../state/applied-write.js';
import { type ColdRead, ColdReads } from '../state/cold-reads.js';
import type { Evaluation } from './batch.js';
import type { Cancellation, Outcome, Transaction } from './transaction.js';

/** A batch stops growing at this many writes or bytes; what does not fit waits for the next. */
export const BATCH_WRITES = 1000;
const BATCH_BYTES = 4 * 1024 * 1024;
/** So often a transaction begins again for what only the disk has. Then it waits for the disk where it reads. */
const MOST_ROUNDS = 32;

export interface QueuedTransaction {
  readonly transaction: Transaction;
  readonly queuedAt: number;
  readonly signal: Cancellation | undefined;
  /** How often it began again for what only the disk has. */
  rounds: number;
  resolve(outcome: Outcome): void;
  reject(error: unknown): void;
}

/** A queued transaction after its evaluation. */
export interface EvaluatedTransaction {
  readonly queued: QueuedTransaction;
  readonly applied: readonly AppliedWrite[];
  readonly result?: unknown;
  readonly error?: unknown;
}

/** A transaction that begins again when something is loaded that only the disk has. */
export interface ColdTransaction {
  readonly queued: QueuedTransaction;
  readonly read: ColdRead;
}

interface EvaluatedBatch {
  readonly evaluated: readonly EvaluatedTransaction[];
  readonly cold: readonly ColdTransaction[];
}

/**
 * Evaluates as many transactions as fit in a batch. Those that need what only the disk has are left out: a read of the
 * disk would keep the event loop, and all requests with it.
 */
export async function evaluateAll(evaluation: Evaluation, live: readonly QueuedTransaction[]): Promise<EvaluatedBatch> {
  const evaluated: EvaluatedTransaction[] = [];
  const cold: ColdTransaction[] = [];
  const yielder = new Yielder();
  for (const queued of live) {
    if (evaluation.changes.length >= BATCH_WRITES || evaluation.bytes >= BATCH_BYTES) break;
    // Others wait meanwhile. If another server writes then, the append finds out.
    if (yielder.isDue) await yielder.yield();
    const reads = new ColdReads();
    if (queued.rounds >= MOST_ROUNDS) reads.end();
    const one = await evaluateOne(evaluation, queued, yielder, reads);
    if (reads.met === undefined) evaluated.push(one);
    else cold.push({ queued, read: reads.met });
  }
  return { evaluated, cold };
}

async function evaluateOne(
  evaluation: Evaluation,
  queued: QueuedTransaction,
  yielder: Yielder,
  reads: ColdReads,
): Promise<EvaluatedTransaction> {
  try {
    return { queued, ...(await inSteps(evaluation, queued, yielder, reads)) };
  } catch (error) {
    return { queued, applied: [], error };
  }
}

/** A transaction in steps ends early if nobody waits for it any more. */
async function inSteps(
  evaluation: Evaluation,
  { transaction, signal }: QueuedTransaction,
  yielder: Yielder,
  reads: ColdReads,
): Promise<Omit<EvaluatedTransaction, 'queued'>> {
  const steps = evaluation.evaluate(transaction);
  const next = () => steps.next();
  let step = reads.during(next);
  while (step.done !== true) {
    if (yielder.isDue) await yielder.yield();
    step = signal?.aborted === true ? steps.throw(signal.reason) : reads.during(next);
  }
  return step.value;
}
