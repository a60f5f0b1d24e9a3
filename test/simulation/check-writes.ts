import type { Operation, SeenEvent } from './history.js';
import { isWaiting, markOf, ownLabels, type Resource, revisionOf, type SimObject, textOf } from './objects.js';
import type { Bounds, Complain, Timeline } from './timeline.js';

type Timelines = ReadonlyMap<Resource, Timeline>;

export interface Marked {
  readonly resource: Resource;
  readonly event: SeenEvent;
}

/**
 * The events of each operation, by its mark. An event in which an object only stops waiting belongs to the write of
 * another object.
 */
export function marksOf(timelines: Timelines): ReadonlyMap<number, readonly Marked[]> {
  const marks = new Map<number, Marked[]>();
  for (const { resource, events } of timelines.values()) {
    const waiting = new Map<string, number>();
    for (const event of events) {
      const { name } = event.object.metadata;
      const mark = markOf(event.object);
      const isResolved = waiting.get(name) === mark;
      waiting.delete(name);
      if (event.type === 'DELETED') continue;
      if (isWaiting(event.object)) waiting.set(name, mark);
      if (isResolved) continue;
      marks.set(mark, [...(marks.get(mark) ?? []), { resource, event }]);
    }
  }
  return marks;
}

/** Whether the answer says that nothing was written. */
export function isRefused({ status }: Operation): boolean {
  return (status >= 400 && status < 500) || status === 503;
}

/** Acknowledged writes are in the timelines once, and refused writes are not. */
export function checkWrite(
  write: Operation,
  marked: readonly Marked[],
  timelines: Timelines,
  bounds: Bounds,
  complain: Complain,
): void {
  const { id, verb, resource, name, status } = write;
  const where = `${verb} ${id} of ${resource} ${name}`;
  if (isRefused(write) && marked.length > 0)
    complain(
      'refused writes change nothing',
      `${where} was answered ${status}, but is at ${marked[0]?.event.revision}`,
    );
  const keys = new Set(marked.map((one) => `${one.resource}/${one.event.object.metadata.name}`));
  if (keys.size < marked.length) complain('writes happen once', `${where} is in the history ${marked.length} times`);
  if (verb === 'applyset') checkApplySet(write, marked, complain);
  else if (status === 404 || status === 409) checkRefusal(write, timelines, bounds, complain);
  if (verb === 'applyset' || (status !== 200 && status !== 201)) return;
  const timeline = timelines.get(resource) as Timeline;
  if (verb === 'delete') checkDeletion(write, timeline, bounds, complain);
  else checkAcknowledged(write, timeline, bounds, complain);
}

function checkAcknowledged(write: Operation, timeline: Timeline, bounds: Bounds, complain: Complain): void {
  const { id, verb, name, object, begin, end, revision = 0, resource } = write;
  const where = `${verb} ${id} of ${resource} ${name}`;
  const event = timeline.byRevision.get(revision);
  if (object === undefined) return;
  if (event === undefined || textOf(event.object) !== textOf(object)) {
    complain(
      'acknowledged writes are kept',
      `${where} was acknowledged at ${revision}, which is ${event === undefined ? 'missing' : 'another'}`,
    );
    return;
  }
  const low = bounds.acknowledged(begin);
  if (markOf(event.object) === id && revision <= low)
    complain('linearizable writes', `${where} is at ${revision}, but ${low} was acknowledged before`);
  if (revision > bounds.possible(end))
    complain('linearizable writes', `${where} is at ${revision}, but was answered before`);
  if (markOf(event.object) === id) checkEffect(write, timeline.at(name, revision - 1), object, complain);
}

/** A write is based on the state before it, and loses no update. */
function checkEffect(
  { id, verb, resource, name, intent }: Operation,
  before: SimObject | undefined,
  after: SimObject,
  complain: Complain,
): void {
  const where = `${verb} ${id} of ${resource} ${name}`;
  if (intent === undefined) return;
  if (verb === 'create' && before !== undefined) complain('linearizable writes', `${where} replaced an object`);
  if (intent.on !== undefined && before !== undefined && revisionOf(before) !== intent.on) {
    complain('no lost updates', `${where} was of revision ${intent.on}, but replaced ${revisionOf(before)}`);
  }
  const kept = before === undefined ? {} : ownLabels(before);
  const want = intent.kind === 'replace' ? intent.labels : { ...kept, [intent.label]: intent.value };
  const wanted = ownLabels({ metadata: { name, labels: want } });
  if (JSON.stringify(wanted) === JSON.stringify(ownLabels(after))) return;
  complain(
    'no lost updates',
    `${where} made the labels ${JSON.stringify(ownLabels(after))}, not ${JSON.stringify(wanted)}`,
  );
}

function checkDeletion(
  { id, resource, name, object, begin, end, revision }: Operation,
  timeline: Timeline,
  bounds: Bounds,
  complain: Complain,
): void {
  if (object === undefined || revision === undefined || Number.isNaN(revision)) return;
  const where = `delete ${id} of ${resource} ${name}`;
  const event = timeline.byRevision.get(revision);
  if (event?.type !== 'DELETED' || event.object.metadata.name !== name) {
    complain(
      'acknowledged writes are kept',
      `${where} was acknowledged at ${revision}, which is ${event === undefined ? 'missing' : 'another'}`,
    );
  }
  const low = bounds.acknowledged(begin);
  const high = bounds.possible(end);
  // If the object was already deleted with its folder, the answer is that deletion.
  const wasGone = timeline.hadState(name, low, high, (state) => state === undefined);
  if (revision > high || (revision <= low && !wasGone)) {
    complain('linearizable writes', `${where} is at ${revision}, not after ${low}`);
  }
}

/** The reason of a refusal was true at some moment between begin and end of the request. */
function checkRefusal(
  { id, verb, resource, name, status, reason, begin, end }: Operation,
  timelines: Timelines,
  bounds: Bounds,
  complain: Complain,
): void {
  const isAbout =
    status === 404 ? (object?: SimObject) => object === undefined : (object?: SimObject) => object !== undefined;
  if (status === 409 ? reason !== 'AlreadyExists' : verb === 'create') return;
  if (timelines.get(resource)?.hadState(name, bounds.acknowledged(begin), bounds.possible(end), isAbout) === true)
    return;
  complain(
    'linearizable writes',
    `${verb} ${id} of ${resource} ${name} was refused with ${reason}, which was not so at any time`,
  );
}

/** An atomic apply wrote all of its objects, or none. */
function checkApplySet({ id, status, members = [] }: Operation, marked: readonly Marked[], complain: Complain): void {
  if (marked.length === 0 || marked.length === members.length) return;
  complain('atomic apply', `apply ${id} (${status}) wrote ${marked.length} of ${members.length} objects`);
}

/** Each deletion was requested: of the object, of its folder, or by an apply that prunes. */
export function checkDeletions(operations: readonly Operation[], timelines: Timelines, complain: Complain): void {
  const asked = new Set(
    operations
      .filter(({ verb, status }) => verb === 'delete' && !(status >= 400 && status < 500))
      .map(({ resource, name }) => `${resource}/${name}`),
  );
  const folders = timelines.get('folders') as Timeline;
  for (const { resource, events } of timelines.values()) {
    if (resource === 'rolebindings') continue;
    for (const { type, revision, object } of events) {
      if (type !== 'DELETED' || asked.has(`${resource}/${object.metadata.name}`)) continue;
      const parent = object.metadata.annotations?.['svc.app/folder'];
      const isOfSet = /-(s\d|box)$/.test(object.metadata.name);
      const isWithin =
        parent !== undefined &&
        folders.versionsOf(parent).some((one) => one.object === undefined && one.revision > revision);
      if (!isWithin && !isOfSet)
        complain('refused writes change nothing', `nobody deleted ${resource} ${object.metadata.name} at ${revision}`);
    }
  }
}
