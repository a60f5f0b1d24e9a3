import { ask, type Door } from './door.js';
import type { FrameType, History, Stream } from './history.js';
import { pathOf, type Resource, revisionOf, SELECTOR, type SimObject } from './objects.js';
import type { Random } from './random.js';

const INITIAL_END = 'k8s.io/initial-events-end';

export interface WatchWish {
  readonly client: string;
  readonly resource: Resource;
  readonly server: number;
  readonly isSelective?: boolean;
  /** Absent for a WatchList. */
  readonly from?: number;
}

/**
 * Opens one watch and records what it receives, until `isEnough` is true of the newest revision received, or it ends.
 */
export async function watchOnce(
  history: History,
  doors: readonly Door[],
  wish: WatchWish,
  { signal, isEnough }: { readonly signal: AbortSignal; readonly isEnough: (stream: Stream) => boolean },
): Promise<Stream> {
  const { from, isSelective = false, ...rest } = wish;
  const stream: Stream = {
    ...rest,
    id: history.id(),
    isSelective,
    begin: history.tick(),
    from,
    initial: from === undefined ? [] : undefined,
    events: [],
    bookmarks: [],
  };
  history.streams.push(stream);
  const answer = await ask(history, doors, wish.server, { method: 'GET', path: pathFor(wish) });
  stream.opened = history.tick();
  if (answer?.status !== 200) {
    stream.ended = answer?.status ?? 'closed';
    return stream;
  }
  const { frames } = answer;
  const stop = (): void => void frames.close().catch(() => undefined);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    stream.ended = (await receive(history, stream, frames.next, isEnough)) ?? (signal.aborted ? 'client' : 'closed');
  } catch {
    stream.ended = signal.aborted ? 'client' : 'closed';
  } finally {
    stream.closed = history.tick();
    signal.removeEventListener('abort', stop);
    stop();
  }
  return stream;
}

function pathFor({ resource, isSelective, from }: WatchWish): string {
  const query = new URLSearchParams({ watch: 'true', allowWatchBookmarks: 'true', timeoutSeconds: '600' });
  if (isSelective === true) query.set('labelSelector', SELECTOR);
  if (from === undefined) {
    query.set('sendInitialEvents', 'true');
    query.set('resourceVersionMatch', 'NotOlderThan');
  } else query.set('resourceVersion', String(from));
  return `${pathOf(resource)}?${query}`;
}

type Next = () => Promise<{ readonly type: string; readonly object: unknown } | undefined>;

async function receive(
  history: History,
  stream: Stream,
  next: Next,
  isEnough: (stream: Stream) => boolean,
): Promise<Stream['ended'] | undefined> {
  for (let frame = await next(); frame !== undefined; frame = await next()) {
    const object = frame.object as SimObject & { readonly code?: number };
    if (frame.type === 'ERROR') return object.code ?? 500;
    const revision = revisionOf(object);
    if (frame.type === 'BOOKMARK') {
      if (object.metadata.annotations?.[INITIAL_END] === 'true') stream.from = revision;
      stream.bookmarks.push({ revision, after: stream.events.length });
    } else if (stream.from === undefined) {
      stream.initial?.push(object);
      continue;
    } else {
      stream.events.push({ type: frame.type as FrameType, revision, object });
    }
    history.saw(revision, stream.server, stream.begin);
    if (isEnough(stream)) return 'client';
  }
  return undefined;
}

/** The revision up to which a stream has everything. */
export function reached({ from, events, bookmarks }: Stream): number {
  return Math.max(from ?? 0, events.at(-1)?.revision ?? 0, bookmarks.at(-1)?.revision ?? 0);
}

/**
 * Follows a resource for the whole run. It ends its watches at random, and continues after the last revision on any
 * server.
 */
export async function follow(
  history: History,
  doors: readonly Door[],
  wish: Omit<WatchWish, 'server'>,
  { random, signal, end }: { readonly random: Random; readonly signal: AbortSignal; readonly end: () => number },
): Promise<void> {
  let from = wish.from;
  while (!signal.aborted) {
    const server = random.below(doors.length);
    // Mostly few events, so that watches end often even in a short run on a busy machine.
    const count = random.chance(0.6) ? 1 + random.below(random.pick([4, 60])) : Number.POSITIVE_INFINITY;
    const isEnough = (stream: Stream): boolean => reached(stream) >= end() || stream.events.length >= count;
    const { from: _, ...rest } = wish;
    const before = from;
    const start = before === undefined ? {} : { from: before };
    const stream = await watchOnce(history, doors, { ...rest, ...start, server }, { signal, isEnough });
    if (stream.from !== undefined) from = Math.max(from ?? 0, reached(stream));
    if (stream.ended === 410) from = undefined;
    if (from !== undefined && from >= end()) return;
    // Without this pause, a server that always sends the same event would leave no time for other clients.
    if (stream.ended !== 'client' || from === before) await random.pause(100);
  }
}
