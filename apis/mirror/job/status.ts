import { type MirrorCondition, type MirrorProblem, type MirrorStatus, MOST_ERRORS } from '../mirror/schema.js';
import type { Stop } from './deletion-guard.js';
import type { Memory } from './memory.js';
import type { Queue } from './queue.js';
import { type Key, KINDS, type KindWord, partsOf } from './resources.js';

export interface WorkerState {
  readonly memory: Memory;
  readonly queue: Queue;
  readonly pending: number;
  readonly kept: number;
  /** Sent, apart from what the other server does not have, with what that is. */
  readonly partial: ReadonlyMap<Key, string>;
  /** Nothing is deleted, because it would be too much. */
  readonly stop: Stop | undefined;
  readonly arrived: number | undefined;
  /** Why the other server cannot be asked. */
  readonly outage: string | undefined;
  readonly isListed: boolean;
  /** What somebody has changed there, and stays so. */
  readonly drifted: ReadonlyMap<Key, string>;
  /** What somebody had changed there, and is put back. */
  readonly putBack: ReadonlyMap<Key, string>;
  readonly isChecked: boolean;
  /** What was sent before this server kept the mirror is not compared yet. */
  readonly isToBeChecked: boolean;
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
    errors: failures.slice(0, MOST_ERRORS).map(([key, { reason }]) => problemOf(key, reason)),
    partial: state.partial.size,
    warnings: firstOf(state.partial, MOST_ERRORS).map(([key, what]) => problemOf(key, what)),
    conditions: [ready(state, old), ...drifted(state, old)],
  };
}

function problemOf(key: Key, reason: string): MirrorProblem {
  const { kind, name } = partsOf(key);
  return { kind: KINDS[kind], name, reason: reason.slice(0, LONGEST_REASON) };
}

type Outcome = Pick<MirrorCondition, 'status' | 'reason' | 'message'>;

function condition(
  type: MirrorCondition['type'],
  outcome: Outcome,
  { now, generation }: WorkerState,
  old: MirrorStatus | undefined,
): MirrorCondition {
  const before = old?.conditions.find((one) => one.type === type);
  const lastTransitionTime = before?.status === outcome.status ? before.lastTransitionTime : now;
  return { type, ...outcome, lastTransitionTime, ...(generation !== undefined && { observedGeneration: generation }) };
}

function ready(state: WorkerState, old: MirrorStatus | undefined): MirrorCondition {
  return condition('Ready', readiness(state), state, old);
}

function drifted(state: WorkerState, old: MirrorStatus | undefined): readonly MirrorCondition[] {
  const all = new Map([...state.drifted, ...state.putBack]);
  if (all.size === 0 && !state.isChecked) return [];
  const outcome: Outcome =
    all.size === 0
      ? { status: 'False', reason: 'AsSent', message: 'what was sent is there as it was sent' }
      : { status: 'True', reason: state.putBack.size > 0 ? 'PuttingBack' : 'Reported', message: namesOf(all) };
  return [condition('Drifted', outcome, state, old)];
}

function firstOf<K, V>(map: ReadonlyMap<K, V>, most: number): readonly (readonly [K, V])[] {
  const first: (readonly [K, V])[] = [];
  for (const entry of map) if (first.push(entry) >= most) break;
  return first;
}

/** The objects that a message names. */
const NAMED = 10;

function namesOf(all: ReadonlyMap<Key, string>): string {
  const first = [...all].slice(0, NAMED).map(([key, what]) => `${partsOf(key).kind} ${partsOf(key).name}: ${what}`);
  const more = all.size > NAMED ? `; and ${all.size - NAMED} more` : '';
  return `somebody has changed there: ${first.join('; ')}${more}`;
}

/** Something that people are told by an event. */
interface Happening {
  readonly reason: string;
  readonly type: 'Normal' | 'Warning';
  readonly message: string;
}

export function happenings(state: WorkerState): readonly Happening[] {
  const { status, reason, message } = readiness(state);
  const all = state.putBack;
  return [
    ...(all.size > 0 ? [{ reason: 'Drifted', type: 'Warning' as const, message: namesOf(all) }] : []),
    ...(reason === 'Sending' || reason === 'Comparing'
      ? []
      : [{ reason, type: status === 'True' ? ('Normal' as const) : ('Warning' as const), message }]),
  ];
}

function readiness(state: WorkerState): Outcome {
  const { outage, pending, queue, isListed } = state;
  const failed = queue.failures().size;
  if (outage !== undefined) return { status: 'False', reason: 'Unreachable', message: outage.slice(0, LONGEST_REASON) };
  if (state.stop !== undefined)
    return { status: 'False', reason: 'TooManyDeletions', message: stopMessage(state.stop) };
  if (failed > 0) {
    const message = `${objectsOf(failed)} cannot be sent: the errors have the reasons`;
    return { status: 'False', reason: 'Refused', message };
  }
  if (!isListed || pending > 0)
    return { status: 'False', reason: 'Sending', message: `${objectsOf(pending)} still to be sent` };
  if (state.isToBeChecked)
    return { status: 'False', reason: 'Comparing', message: 'what was sent before is compared with what is there' };
  return { status: 'True', reason: 'Arrived', message: arrivedMessage(state) };
}

/** What is kept, or changed there and only reported, is not as it is here. */
function arrivedMessage({ kept, drifted }: WorkerState): string {
  const others = [
    ...(kept > 0 ? [`${objectsOf(kept)} that the other server had before and spec.existing keeps`] : []),
    ...(drifted.size > 0 ? ['what somebody has changed there'] : []),
  ];
  const except = others.length > 0 ? `, except ${others.join(', and ')}` : '';
  return `everything that is selected is there as it is here${except}`;
}

const objectsOf = (count: number): string => `${count} ${count === 1 ? 'object' : 'objects'}`;

function stopMessage({ gone, sent }: Stop): string {
  return `${gone} of ${sent} objects that were sent are gone here or not selected any more, which is more than half, so nothing more is deleted there; if that is meant, set spec.maxDeletions to ${gone} or more`;
}
