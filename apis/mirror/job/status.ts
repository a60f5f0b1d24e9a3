import { type MirrorCondition, type MirrorProblem, type MirrorStatus, MOST_ERRORS } from '../mirror/schema.js';
import type { Memory } from './memory.js';
import type { Failure, Queue } from './queue.js';
import { type Key, KINDS, type KindWord, partsOf } from './resources.js';

export interface WorkerState {
  readonly memory: Memory;
  readonly queue: Queue;
  readonly pending: number;
  readonly kept: number;
  readonly arrived: number | undefined;
  /** Why the other server cannot be asked. */
  readonly outage: string | undefined;
  readonly isListed: boolean;
  readonly generation: number | undefined;
  readonly now: string;
}

const LONGEST_REASON = 500;

export function statusOf(state: WorkerState, old: MirrorStatus | undefined): MirrorStatus {
  const { memory, queue, pending, kept, arrived } = state;
  const objects = (Object.keys(KINDS) as KindWord[]).map((kind) => ({
    kind: KINDS[kind],
    count: memory.countOf(kind),
  }));
  const failures = [...queue.failures()];
  return {
    ...(arrived !== undefined
      ? { revision: String(arrived) }
      : old?.revision !== undefined && { revision: old.revision }),
    objects: objects.filter(({ count }) => count > 0),
    pending,
    kept,
    failed: failures.length,
    errors: failures.slice(0, MOST_ERRORS).map(problemOf),
    conditions: [ready(state, old)],
  };
}

function problemOf([key, { reason }]: readonly [Key, Failure]): MirrorProblem {
  const { kind, name } = partsOf(key);
  return { kind: KINDS[kind], name, reason: reason.slice(0, LONGEST_REASON) };
}

function ready(state: WorkerState, old: MirrorStatus | undefined): MirrorCondition {
  const told = readiness(state);
  const before = old?.conditions.find(({ type }) => type === 'Ready');
  const lastTransitionTime = before?.status === told.status ? before.lastTransitionTime : state.now;
  const { generation } = state;
  return {
    type: 'Ready',
    ...told,
    lastTransitionTime,
    ...(generation !== undefined && { observedGeneration: generation }),
  };
}

function readiness(state: WorkerState): Pick<MirrorCondition, 'status' | 'reason' | 'message'> {
  const { outage, pending, queue, isListed } = state;
  const failed = queue.failures().size;
  if (outage !== undefined) return { status: 'False', reason: 'Unreachable', message: outage.slice(0, LONGEST_REASON) };
  if (failed > 0) {
    const message = `${failed} objects cannot be sent; status.errors has the reasons`;
    return { status: 'False', reason: 'Refused', message };
  }
  if (!isListed || pending > 0)
    return { status: 'False', reason: 'Sending', message: `${pending} objects have not arrived` };
  return { status: 'True', reason: 'Arrived', message: 'everything that is selected is there as it is here' };
}
