import { type ReadonlySignal, signal } from '@preact/signals';
import { ApiError, call } from '../../lib/api.js';
import { listed, ownKey, pathOf, type Resource } from '../../lib/discovery.js';
import type { ObjectMeta } from '../../lib/object.js';
import { isTitle } from '../../lib/table-titles.js';

/** A deleted object. */
export interface Deleted {
  readonly resource: Resource;
  readonly name: string;
  readonly title: string;
  /** The folder in which it was. Empty at the root. */
  readonly folder: string;
  /** The id of the deletion, which all objects of one request share. */
  readonly deletion: string;
  /** Is the same for deletions that somebody has made at once. Empty if nobody said so. */
  readonly operation: string;
  readonly by: string;
  readonly at: string;
  /** Until when it can come back. */
  readonly until: string;
}

export interface TrashState {
  readonly phase: 'loading' | 'there' | 'failed';
  /** The last deleted first. */
  readonly deleted: readonly Deleted[];
  /** Deletions before this time may be incomplete. Empty: all are loaded. */
  readonly horizon: string;
  readonly error?: unknown;
}

export interface Trash {
  readonly state: ReadonlySignal<TrashState>;
  /** Loads earlier deletions, unless something is being loaded. */
  more(): Promise<unknown>;
  /** Loads the newest deletions, unless something is being loaded. */
  look(): Promise<unknown>;
  /** Loads as many deletions again as are loaded. The old ones stay until then. */
  refresh(): Promise<void>;
  stop(): void;
}

/** The kinds whose objects may be in the trash. */
export function kindsWithTrash(): readonly Resource[] {
  return listed.value.filter(({ isNamespaced, subresources }) => isNamespaced && subresources.includes('restore'));
}

/** The loaded deletions of one kind. */
interface Shelf {
  readonly resource: Resource;
  items: readonly Deleted[];
  next: string | undefined;
}

/** The trash of a namespace, of all kinds. */
export function openTrash(namespace: string): Trash {
  const state = signal<TrashState>({ phase: 'loading', deleted: [], horizon: '' });
  const controller = new AbortController();
  const shelves: readonly Shelf[] = kindsWithTrash().map((resource) => ({ resource, items: [], next: undefined }));
  let work: Promise<unknown> | undefined;

  const loaded = (): TrashState => {
    const deleted = shelves.flatMap(({ items }) => items).sort((a, b) => b.at.localeCompare(a.at));
    const ends = shelves.flatMap(({ items, next }) => (next === undefined ? [] : (items.at(-1)?.at ?? '9')));
    const horizon = ends.sort().at(-1) ?? '';
    return { phase: 'there', deleted, horizon };
  };

  /** Loads the last deletions of a kind, at least so many. The earlier ones that are loaded stay. */
  const load = async (shelf: Shelf, wanted: number): Promise<void> => {
    let { items, next } = await pageOf(shelf.resource, namespace, undefined, controller.signal);
    while (next !== undefined && items.length < wanted) {
      const page = await pageOf(shelf.resource, namespace, next, controller.signal);
      [items, next] = [[...items, ...page.items], page.next];
    }
    const older = next === undefined ? [] : behind(items, shelf.items);
    shelf.items = [...items, ...older];
    if (older.length === 0) shelf.next = next;
  };

  /** Loads the last deletions of each kind again: a page, or as many as are loaded. */
  const renew = async (isWhole: boolean): Promise<TrashState> => {
    const results = await Promise.allSettled(shelves.map((shelf) => load(shelf, isWhole ? shelf.items.length : 0)));
    const errors = results.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
    const [real = errors[0]] = errors.filter((error) => !(error instanceof ApiError && error.code === 403));
    const isRefused = errors.length > 0 && errors.length === results.length;
    if (!isRefused) return loaded();
    const before = state.peek();
    return before.phase === 'there' ? before : { ...before, phase: 'failed', error: real };
  };

  const more = async (): Promise<TrashState> => {
    const { horizon } = state.peek();
    const behind = shelves.filter(({ next, items }) => next !== undefined && (items.at(-1)?.at ?? '9') >= horizon);
    await Promise.all(
      behind.map(async (shelf) => {
        const page = await pageOf(shelf.resource, namespace, shelf.next, controller.signal);
        const known = new Set(shelf.items.map(keyOf));
        shelf.items = [...shelf.items, ...page.items.filter((one) => !known.has(keyOf(one)))];
        shelf.next = page.next;
      }),
    );
    return loaded();
  };

  /**
   * Does a task after the running one, because each changes the shelves. Its result is shown when the next one may
   * begin, because the page then asks for more.
   */
  const inTurn = async (task: () => Promise<TrashState>): Promise<void> => {
    const turn = (work ?? Promise.resolve())
      .catch(() => undefined)
      .then(task)
      .finally(() => {
        if (work === turn) work = undefined;
      });
    work = turn;
    const next = await turn;
    if (!controller.signal.aborted) state.value = next;
  };
  void inTurn(() => renew(false));
  return {
    state,
    more: () => work ?? inTurn(more),
    look: () => work ?? inTurn(() => renew(false)),
    refresh: () => inTurn(() => renew(true)),
    stop: () => controller.abort(),
  };
}

/**
 * The known objects that were deleted before the new ones. Without a common object, others may lie between them, so
 * there are none.
 */
function behind(items: readonly Deleted[], known: readonly Deleted[]): readonly Deleted[] {
  const last = items.at(-1);
  // The newest deletions are of objects that this person may not view.
  if (last === undefined) return known;
  const found = new Set(items.map(keyOf));
  if (!known.some((one) => found.has(keyOf(one)))) return [];
  return known.filter((one) => one.at <= last.at && !found.has(keyOf(one)));
}

/** Identifies a deletion of an object. Objects with one name may be deleted several times. */
export function keyOf({ resource, name, deletion }: Deleted): string {
  return `${resource.group}/${resource.resource}/${name}/${deletion}`;
}

interface Table {
  readonly metadata: { readonly continue?: string };
  readonly columnDefinitions?: readonly { readonly name: string; readonly type: string }[];
  readonly rows: readonly { readonly cells: readonly unknown[]; readonly object: { readonly metadata: ObjectMeta } }[];
}

const TABLE = 'application/json;as=Table;g=meta.k8s.io;v=v1';
const PAGE = 200;

/** A page of the trash of a kind, as a table, which has the titles, but not the content of the objects. */
async function pageOf(
  resource: Resource,
  namespace: string,
  token: string | undefined,
  signal: AbortSignal,
): Promise<{ readonly items: readonly Deleted[]; readonly next: string | undefined }> {
  const query = {
    labelSelector: `${ownKey('get-trash')}=true`,
    includeObject: 'Metadata',
    limit: PAGE,
    continue: token,
  };
  const { body } = await call<Table>('GET', pathOf(resource, namespace), { query, accept: TABLE, signal });
  const title = (body.columnDefinitions ?? []).findIndex(isTitle);
  const items = body.rows.map(({ cells, object: { metadata } }): Deleted => {
    const own = (key: string): string => metadata.annotations?.[ownKey(key)] ?? '';
    return {
      resource,
      name: metadata.name,
      title: title === -1 ? '' : String(cells[title] ?? ''),
      folder: own('folder'),
      deletion: own('deletionID'),
      operation: own('operationID'),
      by: own('updatedBy'),
      at: metadata.deletionTimestamp ?? '',
      until: own('keptUntil'),
    };
  });
  return { items, next: body.metadata.continue || undefined };
}
