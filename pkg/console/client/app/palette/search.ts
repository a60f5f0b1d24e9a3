import { namespace } from '../../lib/session.js';
import { find } from '../../pages/folders/model/find.js';
import { resourceFor } from '../../pages/folders/model/kinds.js';
import { accounts, called, type Found, members, teams } from '../../pages/people/legacy.js';
import { places } from '../places.js';
import type { Entry } from './entry.js';

type Go = (place: string) => void;

/** The most folders and dashboards, and the most people, teams and accounts each, that are found. */
const [MOST_HITS, MOST_PEOPLE] = [8, 4];

/** Folders and dashboards, the best first, each with the folder that it lies in. */
export async function contents(query: string, go: Go, signal: AbortSignal): Promise<readonly Entry[]> {
  const where = namespace.peek();
  const { hits, totalHits } = await find(where, { query, sort: 'rank', limit: MOST_HITS }, signal);
  const above = [...new Set(hits.flatMap(({ folder }) => folder ?? []))];
  const folders =
    above.length === 0
      ? []
      : (await find(where, { type: 'folder', name: above.join(','), limit: MOST_HITS }, signal)).hits;
  const titles = new Map(folders.map(({ name, title }) => [name, title]));
  const dashboards = resourceFor('dashboards');
  const group = 'Folders and dashboards';
  const entries = hits.map(({ resource, name, title, folder }): Entry => {
    const isFolder = resource === 'folders' || dashboards === undefined;
    return {
      key: `${resource} ${name}`,
      group,
      title,
      note: folder === undefined ? '' : (titles.get(folder) ?? ''),
      icon: isFolder ? 'folders' : 'kinds',
      run: () => go(isFolder ? places.folders(name) : places.object(dashboards, where, name)),
    };
  });
  const all = { what: 'folders and dashboards', place: places.folders(), group, query };
  return [...entries, ...allOf(all, totalHits > hits.length ? totalHits : 0, go)];
}

interface All {
  /** Such as `users`. */
  readonly what: string;
  /** The page that shows all of them. */
  readonly place: string;
  readonly group: string;
  readonly query: string;
}

/** The entry that leads to all that was found. None if there is no more than what is shown. */
function allOf({ what, place, group, query }: All, total: number, go: Go): readonly Entry[] {
  if (total === 0) return [];
  const title = `All ${total.toLocaleString()} ${what}`;
  const run = (): void => go(`${place}?${new URLSearchParams({ q: query })}`);
  return [{ key: `all ${what}`, group, title, icon: 'find', run }];
}

interface Named {
  readonly uid: string;
  readonly title: string;
  readonly note: string;
}

/** People, teams and service accounts. Callers who may not list them find none. */
export async function people(query: string, go: Go, signal: AbortSignal): Promise<readonly Entry[]> {
  const page = { query, page: 1, perpage: MOST_PEOPLE };
  const group = 'People and teams';
  const entry = (tab: string, { uid, title, note }: Named): Entry => ({
    key: `${tab} ${uid}`,
    group,
    title,
    note,
    icon: 'people',
    run: () => go(`${places.people(tab)}?open=${encodeURIComponent(uid)}`),
  });
  const listed = ({ items, total }: Found<Named>, tab: string, what: string): readonly Entry[] => {
    const all = { what, place: places.people(tab), group, query };
    return [...items.map((one) => entry(tab, one)), ...allOf(all, total > items.length ? total : 0, go)];
  };
  const found = await Promise.allSettled([
    members(page, signal).then(({ items, total }) => {
      const named = items.map((one) => ({ uid: one.uid, title: called(one), note: one.login }));
      return listed({ items: named, total }, 'users', 'users');
    }),
    teams(page, signal).then(({ items, total }) =>
      listed({ items: items.map(noted('Team')), total }, 'teams', 'teams'),
    ),
    accounts(page, signal).then(({ items, total }) =>
      listed({ items: items.map(noted('Service account')), total }, 'accounts', 'service accounts'),
    ),
  ]);
  return found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
}

const noted =
  (note: string) =>
  ({ uid, name }: { readonly uid: string; readonly name: string }): Named => ({ uid, title: name, note });
