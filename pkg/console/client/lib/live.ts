import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { ApiError, type CallOptions, call, hasEnded, isReachable } from './api.js';
import { type KubeList, type KubeObject, keyOf } from './object.js';
import { beSeen, whileSeen } from './seen.js';
import { events } from './stream.js';

/** Objects of a page. The next page is loaded on request. */
const PAGE = 500;
/** Changes are gathered for one millisecond for every 400 loaded objects, but for at most 250 milliseconds. */
const [GATHERED_FOR, OBJECTS_PER_MS] = [250, 400];
/** Milliseconds before a watch begins again after an error, at first and at most. */
const [FIRST_PAUSE, LONGEST_PAUSE] = [500, 10_000];

export interface LiveState<Item> {
  /** `loading` until the first page is there, `failed` if it could not be loaded. */
  readonly phase: 'loading' | 'live' | 'failed';
  readonly items: ReadonlyMap<string, Item>;
  /** How many objects are not loaded yet. 0 if the server does not say. */
  readonly remaining: number;
  /** Whether there are more pages. */
  readonly hasMore: boolean;
  readonly error?: unknown;
}

export interface Live<Item> {
  readonly state: ReadonlySignal<LiveState<Item>>;
  /** Loads the next page, if there is one and none is being loaded. */
  more(limit?: number): Promise<void>;
  stop(): void;
}

export interface LiveOptions<Item> extends Pick<CallOptions, 'query' | 'accept'> {
  /** The size of the first page. */
  readonly first?: number;
  readonly keyOf?: (item: Item) => string;
  /**
   * The items in a page of the list, or, with `isNews`, in the object of an event. By default the items of the list,
   * and the object itself.
   */
  readonly read?: (body: unknown, isNews: boolean) => readonly Item[];
}

/**
 * A collection as it is now: pages of a list, and a watch from their revision on. A watch that ends continues where it
 * stopped. If it cannot (410), the collection is listed again, and the old items stay until then.
 */
export function live<Item extends KubeObject<unknown>>(path: string, options: LiveOptions<Item> = {}): Live<Item> {
  const { query = {}, accept = 'application/json', first = PAGE, keyOf: key = keyOf, read = itemsOf<Item> } = options;
  const state = signal<LiveState<Item>>({ phase: 'loading', items: new Map(), remaining: 0, hasMore: false });
  const controller = new AbortController();
  const changes = changesOf<Item>(state);
  let next: string | undefined;
  let version = '';
  let loading: Promise<void> | undefined;

  const page = async (token: string | undefined, limit: number): Promise<KubeList<Item>> => {
    const asked = { ...query, limit, continue: token };
    const { body } = await call<KubeList<Item>>('GET', path, { query: asked, accept, signal: controller.signal });
    return body;
  };

  const take = (list: KubeList<Item>, before: ReadonlyMap<string, Item>): void => {
    const items = new Map(before);
    let last = '';
    for (const item of read(list, false)) {
      last = key(item);
      items.set(last, item);
    }
    next = list.metadata.continue;
    const { remainingItemCount: remaining = 0 } = list.metadata;
    const hasMore = next !== undefined && next !== '';
    changes.reach(hasMore ? last : undefined, items);
    state.value = { phase: 'live', items, remaining, hasMore };
  };

  const begin = async (): Promise<void> => {
    const list = await page(undefined, first);
    version = list.metadata.resourceVersion;
    changes.forget();
    take(list, new Map());
  };

  const follow = async (signal: AbortSignal): Promise<void> => {
    const asked = { ...query, resourceVersion: version, allowWatchBookmarks: true };
    for await (const { type, object } of events<Item>(path, { query: asked, accept, signal })) {
      version = object.metadata.resourceVersion ?? version;
      if (type === 'BOOKMARK') continue;
      for (const item of read(object, true)) changes.add(key(item), type === 'DELETED' ? undefined : item);
    }
  };

  void keepFollowing(begin, follow, controller.signal, (error) => {
    if (state.peek().phase === 'loading') state.value = { ...state.peek(), phase: 'failed', error };
  });

  const more = async (limit = PAGE): Promise<void> => {
    if (next === undefined || next === '' || loading !== undefined) return loading;
    const token = next;
    loading = page(token, limit)
      .then((list) => {
        // Otherwise the collection was listed again meanwhile, and this page does not follow the new one.
        if (token === next) take(list, state.peek().items);
      })
      .catch((error: unknown) => {
        // The server has no more pages of this revision.
        if (error instanceof ApiError && error.code === 410 && token === next) return begin();
        throw error;
      })
      .finally(() => {
        loading = undefined;
      });
    return loading;
  };
  return { state, more, stop: () => controller.abort() };
}

function itemsOf<Item>(body: unknown, isNews: boolean): readonly Item[] {
  return isNews ? [body as Item] : (body as KubeList<Item>).items;
}

interface Changes<Item> {
  /** Notes the newest state of an object. `undefined`: it is deleted. */
  add(name: string, item: Item | undefined): void;
  /**
   * Notes that pages are loaded up to this object, or all of them if it is undefined. Applies the changes of loaded
   * objects to `items`.
   */
  reach(last: string | undefined, items: Map<string, Item>): void;
  forget(): void;
}

/**
 * The changes of a collection. They are gathered, because showing them makes a new map. Changes of objects behind the
 * loaded pages wait for their page, which has the objects as they were when the list began.
 */
function changesOf<Item>(state: Signal<LiveState<Item>>): Changes<Item> {
  const waiting = new Map<string, Item | undefined>();
  let end: string | undefined;
  let isPlanned = false;
  const apply = (items: Map<string, Item>): void => {
    for (const [name, item] of waiting) {
      if (end !== undefined && name > end) continue;
      waiting.delete(name);
      if (item === undefined) items.delete(name);
      else items.set(name, item);
    }
  };
  const show = (): void => {
    isPlanned = false;
    if (waiting.size === 0) return;
    const items = new Map(state.peek().items);
    apply(items);
    state.value = { ...state.peek(), items };
  };
  return {
    add: (name, item) => {
      waiting.set(name, item);
      if (isPlanned) return;
      isPlanned = true;
      setTimeout(show, Math.min(GATHERED_FOR, state.peek().items.size / OBJECTS_PER_MS));
    },
    reach: (last, items) => {
      end = last;
      apply(items);
    },
    forget: () => waiting.clear(),
  };
}

/**
 * Lists with `begin`, and watches with `follow` until the signal aborts. After an error it waits, longer each time, and
 * continues. A hidden page watches nothing, because a browser has few connections for all its pages. It continues where
 * it stopped when it is seen again.
 */
export async function keepFollowing(
  begin: () => Promise<void>,
  follow: (signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
  failed: (error: unknown) => void,
): Promise<void> {
  let pause = FIRST_PAUSE;
  let isListed = false;
  while (!signal.aborted) {
    const seen = whileSeen(signal);
    try {
      if (!isListed) await begin();
      isListed = true;
      await beSeen(signal);
      await follow(seen.signal);
      pause = FIRST_PAUSE;
    } catch (error) {
      if (signal.aborted) return;
      if (seen.signal.aborted) continue;
      const code = error instanceof ApiError ? error.code : 0;
      if (code === 410) isListed = false;
      else failed(error);
      if (code === 400 || code === 403 || code === 404) return;
      await rest(pause, signal);
      pause = isReachable.peek() ? Math.min(2 * pause, LONGEST_PAUSE) : FIRST_PAUSE;
    } finally {
      seen.forget();
    }
  }
}

/** Waits so long, and then until the server can be reached and there is a session. */
async function rest(milliseconds: number, signal: AbortSignal): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
  while ((!isReachable.peek() || hasEnded.peek()) && !signal.aborted)
    await new Promise((resolve) => setTimeout(resolve, 500));
}

/**
 * `live` for as long as a component is shown. It starts again when the path, the query, the media type or `first`
 * changes.
 */
export function useLive<Item extends KubeObject<unknown>>(
  path: string | undefined,
  options: LiveOptions<Item> = {},
): Live<Item> | undefined {
  const about = JSON.stringify([path, options.query, options.accept, options.first]);
  const one = useMemo(() => (path === undefined ? undefined : live<Item>(path, options)), [about]);
  useEffect(() => () => one?.stop(), [one]);
  return one;
}
