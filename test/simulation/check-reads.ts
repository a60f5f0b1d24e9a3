import type { Operation } from './history.js';
import { textOf } from './objects.js';
import { type Bounds, type Complain, isSelected, type Timeline } from './timeline.js';

/**
 * The oldest revision that a read may show: the newest acknowledged one, or, for `any` state, the newest that this
 * server had shown.
 */
function oldest({ asked, begin, server }: Operation, bounds: Bounds): number {
  const own = bounds.answeredBy(server, begin);
  if (asked?.mode === 'any') return own;
  if (asked?.mode === 'least') return Math.max(own, asked.revision ?? 0);
  return bounds.acknowledged(begin);
}

/** A get shows the object as it was at some moment between begin and end of the request. */
export function checkGet(get: Operation, timeline: Timeline, bounds: Bounds, complain: Complain): void {
  const { id, resource, name, status, object, end } = get;
  if (status !== 200 && status !== 404) return;
  const [low, high] = [oldest(get, bounds), bounds.possible(end)];
  const text = object === undefined ? undefined : textOf(object);
  const isSeen = (state: Parameters<typeof textOf>[0] | undefined): boolean => (state && textOf(state)) === text;
  if (timeline.hadState(name, low, high, isSeen)) return;
  const got = object === undefined ? 'nothing' : `revision ${object.metadata.resourceVersion}`;
  const now = timeline.versionAt(name, low);
  complain(
    'linearizable reads',
    `get ${id} of ${resource} ${name} found ${got}; at ${low} it was ${now?.object === undefined ? 'gone' : `at ${now.revision}`}`,
  );
}

/** All pages of a list are exactly the state at one revision, which is recent enough. */
export function checkList(list: Operation, timeline: Timeline, bounds: Bounds, complain: Complain): void {
  const { id, resource, asked, items, pages = [], revision, remaining, end, server } = list;
  if (items === undefined || revision === undefined) return;
  const where = `list ${id} of ${resource} on server ${server} (${asked?.mode})`;
  if (pages.some((page) => page !== revision))
    complain('exact snapshots', `${where}: its pages are at ${pages.join(', ')}`);
  const [low, high] = [oldest(list, bounds), bounds.possible(end)];
  if (asked?.mode === 'exact') {
    if (revision !== asked.revision)
      complain('exact snapshots', `${where} is at ${revision}, not at ${asked.revision}`);
  } else if (revision < low || revision > high) {
    complain('linearizable reads', `${where} is at ${revision}, not between ${low} and ${high}`);
  }
  const want = timeline.state(revision).filter((object) => isSelected(object, asked?.isSelective === true));
  if (revision >= timeline.base && want.map(textOf).join('\n') !== items.map(textOf).join('\n')) {
    complain('exact snapshots', `${where} is not the state at ${revision}: ${difference(want, items)}`);
  }
  if (
    remaining !== undefined &&
    revision >= timeline.base &&
    asked?.isSelective !== true &&
    remaining.given + remaining.left !== want.length
  ) {
    complain('exact snapshots', `${where}: ${remaining.left} should remain after ${remaining.given} of ${want.length}`);
  }
}

type Items = readonly { readonly metadata: { readonly name: string; readonly resourceVersion?: string } }[];

function difference(want: Items, got: Items): string {
  const texts = (items: Items): readonly string[] =>
    items.map(({ metadata: { name, resourceVersion } }) => `${name}@${resourceVersion}`);
  const [wanted, given] = [texts(want), texts(got)];
  const missing = wanted.filter((one) => !given.includes(one));
  const extra = given.filter((one) => !wanted.includes(one));
  return `missing ${missing.join(' ') || 'nothing'}, extra ${extra.join(' ') || 'nothing'}`;
}
