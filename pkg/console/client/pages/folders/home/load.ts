import { get } from '../../../lib/api.js';
import { ownResource, pathOf } from '../../../lib/discovery.js';
import type { KubeList, KubeObject } from '../../../lib/object.js';
import { type Mark, opened } from '../../../lib/opened.js';
import { me } from '../../../lib/session.js';
import type { Item } from '../model/elements.js';
import { find, type Hit, starredNames } from '../model/find.js';
import { orNone } from '../model/none.js';

/** Items of one card. */
const MOST = 8;
/** Objects of one request. */
const AT_ONCE = 40;
/** The last changes among which those of others are looked for. */
const MOST_CHANGES = 400;
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

/** What others have changed last. Asks about a part at a time, because the caller may have changed the first ones. */
export async function changesOfOthers(namespace: string, signal: AbortSignal): Promise<readonly Item[]> {
  const own = me.peek()?.username.replace(/^user:/, '');
  const others: Item[] = [];
  for (let offset = 0; offset < MOST_CHANGES && others.length < MOST; offset += AT_ONCE) {
    const query = { sort: 'changed', details: true, offset, limit: AT_ONCE } as const;
    const { hits } = await find(namespace, query, signal).catch(orNone({ hits: [] as readonly Hit[] }));
    others.push(...hits.map(itemOf).filter(({ details }) => details?.updatedBy?.login !== own));
    if (hits.length < AT_ONCE) break;
  }
  return others.slice(0, MOST);
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
    return hits.map(itemOf);
  });
  return new Map((await Promise.all(asked)).flat().map((item) => [keyOf(item), item]));
}

function itemOf(hit: Hit): Item {
  const { resource: kind, name, title, tags, folder = '', private: isPrivate = false, ...more } = hit;
  const { inPrivate: isInPrivate = false, ...details } = more;
  return { kind, name, title, tags, folder, isPrivate, isInPrivate, details };
}
