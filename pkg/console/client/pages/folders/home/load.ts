import { get } from '../../../lib/api.js';
import { ownResource, pathOf } from '../../../lib/discovery.js';
import type { KubeList, KubeObject } from '../../../lib/object.js';
import { changedByOthers, type Mark, opened } from '../../../lib/opened.js';
import { me } from '../../../lib/session.js';
import type { Item } from '../model/elements.js';
import { find, starredNames } from '../model/find.js';
import { orNone } from './none.js';
import { recentChanges } from './recent.js';

/** Items of one card. */
const MOST = 8;
/** Objects of one request. */
const AT_ONCE = 40;
/** Sets of which the state is read. */
const MOST_SETS = 100;

export interface HomeLists {
  readonly opened: readonly Item[];
  readonly starred: readonly Item[];
}

/** What the person has opened and starred, with the titles of today. What they may no longer view is left out. */
export async function ownLists(namespace: string, signal: AbortSignal): Promise<HomeLists> {
  const stars = await starredNames(namespace, signal).catch(orNone<readonly string[]>([]));
  const starred = stars.slice(0, MOST).map((name): Mark => ({ kind: 'dashboards', name }));
  const seen = opened.read(namespace);
  const items = await itemsOf(namespace, [...seen, ...starred], signal);
  return { opened: inOrder(items, seen).slice(0, MOST), starred: inOrder(items, starred) };
}

/** What others have changed last. Names are kept in the browser, because a server forgets them when it starts. */
export async function changesOfOthers(namespace: string, signal: AbortSignal): Promise<readonly Item[]> {
  const news = await recentChanges(namespace, signal);
  const others = await ofOthers(namespace, [...news, ...changedByOthers.read(namespace)], signal);
  const newest = others.sort((a, b) => (b.details?.updated ?? '').localeCompare(a.details?.updated ?? ''));
  const shown = newest.slice(0, MOST);
  changedByOthers.add(
    namespace,
    shown.flatMap(({ kind, name }) => (isMarked(kind) ? [{ kind, name }] : [])),
  );
  return shown;
}

/** Asks about a part of the marks at a time, because the caller may have changed the first ones. */
async function ofOthers(namespace: string, marks: readonly Mark[], signal: AbortSignal): Promise<Item[]> {
  const own = me.peek()?.username.replace(/^user:/, '');
  const unique = [...new Map(marks.map((mark) => [keyOf(mark), mark])).values()];
  const others: Item[] = [];
  for (let at = 0; at < unique.length && others.length < MOST; at += AT_ONCE) {
    const part = unique.slice(at, at + AT_ONCE);
    const items = inOrder(await itemsOf(namespace, part, signal), part);
    others.push(...items.filter(({ details }) => details?.updatedBy?.login !== own));
  }
  return others;
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
  const answer = get<KubeList<KubeObject>>(pathOf(resource, namespace), { limit: MOST_SETS }, signal);
  const { items } = await answer.catch(orNone({ items: [] as readonly KubeObject[] }));
  return items.flatMap(({ metadata: { name }, status }) => {
    const { drifted = 0, members = 0 } = (status ?? {}) as Partial<DriftedSet>;
    return drifted > 0 ? [{ name, drifted, members }] : [];
  });
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
