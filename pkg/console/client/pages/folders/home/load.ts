import { ApiError, get } from '../../../lib/api.js';
import { ownResource, pathOf } from '../../../lib/discovery.js';
import type { KubeList, KubeObject } from '../../../lib/object.js';
import { changedByOthers, type Mark, opened } from '../../../lib/opened.js';
import { me } from '../../../lib/session.js';
import type { Item } from '../model/elements.js';
import { find, starredNames } from '../model/find.js';
import { recentChanges } from './recent.js';

/** Items of one card. */
const MOST = 8;
/** Sets of which the state is read. */
const MOST_SETS = 100;

export interface HomeLists {
  readonly opened: readonly Item[];
  readonly starred: readonly Item[];
}

/** What the person has opened and starred, with the titles of today. What they may no longer view is left out. */
export async function ownLists(namespace: string, signal: AbortSignal): Promise<HomeLists> {
  const stars = await starredNames(namespace, signal).catch(() => []);
  const starred = stars.slice(0, MOST).map((name): Mark => ({ kind: 'dashboards', name }));
  const seen = opened.read(namespace);
  const items = await itemsOf(namespace, [...seen, ...starred], signal);
  return { opened: inOrder(items, seen).slice(0, MOST), starred: inOrder(items, starred) };
}

/** What others have changed last. Names are kept in the browser, because a server forgets them when it starts. */
export async function changesOfOthers(namespace: string, signal: AbortSignal): Promise<readonly Item[]> {
  const news = await recentChanges(namespace, signal);
  const marks = [...news, ...changedByOthers.read(namespace)];
  const items = await itemsOf(namespace, marks, signal);
  const own = me.peek()?.username.replace(/^user:/, '');
  const others = inOrder(items, marks).filter(({ details }) => details?.updatedBy?.login !== own);
  const newest = others.sort((a, b) => (b.details?.updated ?? '').localeCompare(a.details?.updated ?? ''));
  const shown = newest.slice(0, MOST);
  changedByOthers.add(
    namespace,
    shown.flatMap(({ kind, name }) => (isMarked(kind) ? [{ kind, name }] : [])),
  );
  return shown;
}

export interface DriftedSet {
  readonly name: string;
  readonly drifted: number;
  readonly members: number;
}

/** The apply sets whose members differ from what was applied. None for callers who may not list sets. */
export async function driftedSets(namespace: string, signal: AbortSignal): Promise<readonly DriftedSet[]> {
  const resource = ownResource('apply', 'applysets');
  if (resource === undefined) return [];
  try {
    const path = pathOf(resource, namespace);
    const { items } = await get<KubeList<KubeObject>>(path, { limit: MOST_SETS }, signal);
    return items.flatMap(({ metadata: { name }, status }) => {
      const { drifted = 0, members = 0 } = (status ?? {}) as Partial<DriftedSet>;
      return drifted > 0 ? [{ name, drifted, members }] : [];
    });
  } catch (error) {
    if (error instanceof ApiError && (error.code === 403 || error.code === 404)) return [];
    throw error;
  }
}

const isMarked = (kind: Item['kind']): kind is Mark['kind'] => kind === 'folders' || kind === 'dashboards';
const keyOf = ({ kind, name }: Pick<Item, 'kind' | 'name'>): string => `${kind}/${name}`;

/** Each item once. */
function inOrder(items: ReadonlyMap<string, Item>, marks: readonly Mark[]): Item[] {
  return [...new Set(marks.flatMap((mark) => items.get(keyOf(mark)) ?? []))];
}

/** By one request for each kind. */
async function itemsOf(
  namespace: string,
  marks: readonly Mark[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Item>> {
  const asked = (['folders', 'dashboards'] as const).map(async (kind): Promise<readonly Item[]> => {
    const names = [...new Set(marks.filter((mark) => mark.kind === kind).map(({ name }) => name))];
    if (names.length === 0) return [];
    const type = kind === 'folders' ? 'folder' : 'dashboard';
    const query = { type, name: names.join(','), details: true, limit: names.length } as const;
    const { hits } = await find(namespace, query, signal);
    return hits.map(
      ({ name, title, tags, folder = '', private: isPrivate = false, inPrivate: isInPrivate = false, ...details }) => ({
        kind,
        name,
        title,
        tags,
        folder,
        isPrivate,
        isInPrivate,
        details,
      }),
    );
  });
  return new Map((await Promise.all(asked)).flat().map((item) => [keyOf(item), item]));
}
