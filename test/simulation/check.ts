import { checkFailures } from './check-answers.js';
import { checkGet, checkList } from './check-reads.js';
import { boundariesOf, checkAtomic, checkPermission, checkRules } from './check-rules.js';
import { checkEnds, checkRevisions, checkStream, checkTimeline } from './check-streams.js';
import { checkDeletions, checkWrite, marksOf } from './check-writes.js';
import { checkBetween, checkLast, type Epoch, epochsOf } from './epochs.js';
import type { History, Operation } from './history.js';
import { RESOURCES, type Resource } from './objects.js';
import { Bounds, type Complain, type Timeline, timelineOf } from './timeline.js';

export interface Violation {
  readonly check: string;
  readonly message: string;
}

export interface Verdict {
  readonly violations: readonly Violation[];
  readonly operations: number;
  readonly events: number;
  readonly streams: number;
  /** How often the store was set back. */
  readonly setBacks: number;
  /** How many operations were answered with each status. */
  readonly statuses: ReadonlyMap<string, number>;
}

export interface CheckOptions {
  /** Whether watches may end with 410, because the log is compacted, or because a server loaded its state again. */
  readonly allowsGone?: boolean;
}

/**
 * Compares everything that clients saw with the order of changes by revision: one order, and another one each time
 * after the store was set back.
 */
export function check(history: History, { allowsGone = history.setBacks.length > 0 }: CheckOptions = {}): Verdict {
  const violations: Violation[] = history.complaints.map((message) => ({ check: 'the run ends', message }));
  const complain: Complain = (check, message) => void violations.push({ check, message });
  const all = epochsOf(history).map((epoch) => checkEpoch(epoch, allowsGone, complain));
  checkBetween(history, all, complain);
  return {
    violations,
    operations: history.operations.length,
    events: all.reduce((sum, timelines) => sum + countOf(timelines), 0),
    streams: history.streams.length,
    setBacks: history.setBacks.length,
    statuses: statusesOf(history.operations),
  };
}

function checkEpoch(epoch: Epoch, allowsGone: boolean, complain: Complain): ReadonlyMap<Resource, Timeline> {
  const { history, between } = epoch;
  const timelines = new Map(RESOURCES.map((resource) => [resource, timelineOf(history, resource, complain)]));
  const bounds = new Bounds(history);
  for (const timeline of timelines.values()) checkTimeline(timeline, complain);
  checkRevisions([...timelines.values()], complain);
  checkEnds(history, allowsGone, complain);
  checkFailures(history, complain);
  for (const stream of history.streams) {
    checkStream(stream, timelines.get(stream.resource) as Timeline, bounds, complain);
  }
  checkLast(epoch, complain);
  checkOperations(history, timelines, bounds, complain);
  checkDeletions([...history.operations, ...between], timelines, complain);
  checkRules(timelines, boundariesOf(history), complain);
  return timelines;
}

function countOf(timelines: ReadonlyMap<Resource, Timeline>): number {
  return [...timelines.values()].reduce((sum, { events }) => sum + events.length, 0);
}

function checkOperations(
  history: History,
  timelines: ReadonlyMap<Resource, Timeline>,
  bounds: Bounds,
  complain: Complain,
): void {
  const marks = marksOf(timelines);
  const boundaries = boundariesOf(history);
  for (const operation of history.operations) {
    const timeline = timelines.get(operation.resource) as Timeline;
    const marked = marks.get(operation.id) ?? [];
    if (operation.verb === 'get') checkGet(operation, timeline, bounds, complain);
    else if (operation.verb === 'list') checkList(operation, timeline, bounds, complain);
    else checkWrite(operation, marked, timelines, bounds, complain);
    if (operation.verb === 'applyset' && marked.length > 0) checkAtomic(operation, marked, boundaries, complain);
    if (operation.byRobot === true) checkPermission(operation, marked, timelines, bounds, complain);
  }
}

function statusesOf(operations: readonly Operation[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { verb, status } of operations) {
    const key = `${verb} ${status}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return new Map([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
}
