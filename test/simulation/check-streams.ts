import type { FrameType, History, SeenEvent, Stream } from './history.js';
import { type SimObject, textOf, textWithoutRevision } from './objects.js';
import { type Bounds, type Complain, isSelected, type Timeline } from './timeline.js';
import { reached } from './watcher.js';

/** Each watch received exactly the history after its revision: nothing is missing, twice or out of order. */
export function checkStream(stream: Stream, timeline: Timeline, bounds: Bounds, complain: Complain): void {
  const { from, events, bookmarks, initial } = stream;
  const where = `watch ${stream.id} of ${stream.resource} on server ${stream.server} after ${from}`;
  if (from === undefined) return;
  const wrong = (message: string): void => complain('watch = history', `${where}: ${message}`);
  const through = reached(stream);
  if (initial !== undefined) checkInitial(stream, timeline, bounds, complain);
  const expected = expectedOf(timeline, stream.isSelective, Math.max(from, timeline.base), through);
  for (let i = 0; i < Math.max(expected.length, events.length); i++) {
    const [want, got] = [expected[i], events[i]];
    if (want !== undefined && got !== undefined && isSameEvent(want, got)) continue;
    wrong(`event ${i} is ${described(got)}, expected ${described(want)}`);
    break;
  }
  for (const { revision, after } of bookmarks) {
    const next = events[after];
    const last = events[after - 1];
    if (next !== undefined && next.revision <= revision)
      wrong(`event ${next.revision} follows the bookmark ${revision}`);
    if (last !== undefined && last.revision > revision) wrong(`bookmark ${revision} follows event ${last.revision}`);
  }
}

/** The existing objects of a WatchList are the state at its bookmark, whose revision is recent enough. */
function checkInitial(
  { initial = [], from = 0, begin, resource, isSelective, id }: Stream,
  timeline: Timeline,
  bounds: Bounds,
  complain: Complain,
): void {
  const want = timeline.state(from).filter((object) => isSelected(object, isSelective));
  if (from >= timeline.base && want.map(textOf).join('\n') !== initial.map(textOf).join('\n')) {
    complain('exact snapshots', `WatchList ${id} of ${resource}: its objects are not the state at ${from}`);
  }
  const low = bounds.acknowledged(begin);
  if (from < low)
    complain('linearizable reads', `WatchList ${id} of ${resource} began at ${from}, but ${low} was acknowledged`);
}

function expectedOf(timeline: Timeline, isSelective: boolean, after: number, through: number): readonly SeenEvent[] {
  const events = timeline.events.filter(({ revision }) => revision > after && revision <= through);
  if (!isSelective) return events;
  return events.flatMap((event): readonly SeenEvent[] => {
    const before = timeline.at(event.object.metadata.name, event.revision - 1);
    const now = event.type === 'DELETED' ? undefined : event.object;
    const [was, is] = [isSelected(before, true), isSelected(now, true)];
    if (is) return [{ ...event, type: was ? 'MODIFIED' : 'ADDED' }];
    return was && before !== undefined ? [{ type: 'DELETED', revision: event.revision, object: before }] : [];
  });
}

function isSameEvent(want: SeenEvent, got: SeenEvent): boolean {
  const text = want.type === 'DELETED' ? textWithoutRevision : textOf;
  return want.type === got.type && want.revision === got.revision && text(want.object) === text(got.object);
}

function described(event: SeenEvent | undefined): string {
  return event === undefined ? 'nothing' : `${event.type} ${event.object.metadata.name} ${event.revision}`;
}

/** No object is added twice, and changed or deleted objects existed before. */
export function checkTimeline(timeline: Timeline, complain: Complain): void {
  for (const { type, revision, object } of timeline.events) {
    const { name, uid } = object.metadata;
    const before = timeline.at(name, revision - 1);
    const wanted: FrameType = type === 'DELETED' ? 'DELETED' : before === undefined ? 'ADDED' : 'MODIFIED';
    const at = `${timeline.resource} ${name} at ${revision}`;
    if (type !== wanted || (type === 'DELETED' && before === undefined)) {
      complain('watch = history', `${at}: ${type}, but it was ${before === undefined ? 'not ' : ''}there`);
    }
    if (type === 'ADDED' && object.metadata.generation !== 1)
      complain('generations', `${at}: it begins with the generation ${object.metadata.generation}`);
    if (before === undefined || type === 'ADDED') continue;
    if (type === 'MODIFIED') checkGeneration(at, before, object, complain);
    if (uid !== before.metadata.uid) complain('watch = history', `${at}: its uid changed while it existed`);
    if (type === 'DELETED' && textWithoutRevision(before) !== textWithoutRevision(object)) {
      complain('watch = history', `${at}: the deletion does not show the last state`);
    }
  }
}

/** The generation counts the changes of the spec, and the creation time stays. */
function checkGeneration(at: string, before: SimObject, after: SimObject, complain: Complain): void {
  const [old, now] = [before.metadata, after.metadata];
  const isSame = JSON.stringify(before.spec) === JSON.stringify(after.spec);
  const steps = (now.generation ?? 0) - (old.generation ?? 0);
  // Some kinds also count other parts, such as the folder of a dashboard.
  if (isSame ? steps !== 0 && steps !== 1 : steps !== 1)
    complain(
      'generations',
      `${at}: the spec is ${isSame ? 'the same' : 'another'}, and the generation rose by ${steps}`,
    );
  if (old.creationTimestamp !== now.creationTimestamp)
    complain('generations', `${at}: the time of its creation changed`);
}

/** A revision is one change of one object. */
export function checkRevisions(timelines: readonly Timeline[], complain: Complain): void {
  const seen = new Map<number, string>();
  for (const { resource, events } of timelines) {
    for (const { revision, object } of events) {
      const other = seen.get(revision);
      if (other !== undefined)
        complain('one change, one revision', `${revision} is of ${other} and of ${resource} ${object.metadata.name}`);
      seen.set(revision, `${resource} ${object.metadata.name}`);
    }
  }
}

/** Watches reached the end of the run if they had to, and none ended with 410 unless that is allowed. */
export function checkEnds({ streams }: History, allowsGone: boolean, complain: Complain): void {
  for (const { id, resource, ended } of streams) {
    if (ended === 410 && !allowsGone)
      complain('watch = history', `watch ${id} of ${resource} ended with 410, although nothing was removed`);
  }
}
