import { Yielder } from '../../pkg/system/yielding/yielding.js';
import { ColdReads } from '../state/cold-reads.js';
import type { Evaluation } from './batch.js';
import type { AppliedWrite, Cancellation, Outcome, Transaction } from './transaction.js';

/** A batch stops growing at this many writes or bytes; what does not fit waits for the next. */
export const BATCH_WRITES = 1000;
const BATCH_BYTES = 4 * 1024 * 1024;
/** So often a transaction begins again for what only the disk has. Then it waits for the disk where it reads. */
const MOST_ROUNDS = 32;

export interface QueuedTransaction {
  readonly transaction: Transaction;
  readonly queuedAt: number;
  readonly signal: Cancellation | undefined;
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

/**
 * Evaluates as many transactions as fit in a batch. Those that need what only the disk has come last, when that is
 * loaded: a read of the disk would keep the event loop, and all requests with it. Here only other writes wait.
 */
export async function evaluateAll(
  evaluation: Evaluation,
  live: readonly QueuedTransaction[],
): Promise<readonly EvaluatedTransaction[]> {
  const evaluated: EvaluatedTransaction[] = [];
  const yielder = new Yielder();
  let left = live;
  for (let round = 0; left.length > 0; round++) {
    const cold: QueuedTransaction[] = [];
    const loads: Promise<void>[] = [];
    for (const queued of left) {
      if (evaluation.changes.length >= BATCH_WRITES || evaluation.bytes >= BATCH_BYTES) return evaluated;
      // Others wait meanwhile. If another server writes then, the append finds out.
      if (yielder.isDue) await yielder.yield();
      const reads = round < MOST_ROUNDS ? new ColdReads() : undefined;
      const one = await evaluateOne(evaluation, queued, yielder, reads);
      if (reads?.met === undefined) evaluated.push(one);
      else {
        cold.push(queued);
        // A later read of the same bytes gets the same error, and can say what it was for.
        loads.push(reads.met.load().catch(() => undefined));
      }
    }
    await Promise.all(loads);
    left = cold;
  }
  return evaluated;
}

async function evaluateOne(
  evaluation: Evaluation,
  queued: QueuedTransaction,
  yielder: Yielder,
  reads: ColdReads | undefined,
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
  reads: ColdReads | undefined,
): Promise<Omit<EvaluatedTransaction, 'queued'>> {
  const steps = evaluation.evaluate(transaction);
  const next = () => steps.next();
  const advance = () => (reads === undefined ? next() : reads.during(next));
  let step = advance();
  while (step.done !== true) {
    if (yielder.isDue) await yielder.yield();
    step = signal?.aborted === true ? steps.throw(signal.reason) : advance();
  }
  return step.value;
}
