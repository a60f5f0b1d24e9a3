import { namespace } from '../../lib/session.js';
import { find } from '../../pages/folders/model/find.js';
import { resourceFor } from '../../pages/folders/model/kinds.js';
import { accounts, called, members, teams } from '../../pages/people/legacy.js';
import { places } from '../places.js';
import type { Entry } from './entry.js';

type Go = (place: string) => void;

/** The most folders and dashboards, and the most people, teams and accounts each, that are found. */
const [MOST_HITS, MOST_PEOPLE] = [8, 4];

/** Folders and dashboards, the best first, each with the folder that it lies in. */
export async function contents(query: string, go: Go, signal: AbortSignal): Promise<readonly Entry[]> {
  const where = namespace.peek();
  const { hits } = await find(where, { query, sort: 'rank', limit: MOST_HITS }, signal);
  const above = [...new Set(hits.flatMap(({ folder }) => folder ?? []))];
  const folders =
    above.length === 0
      ? []
      : (await find(where, { type: 'folder', name: above.join(','), limit: MOST_HITS }, signal)).hits;
  const titles = new Map(folders.map(({ name, title }) => [name, title]));
  const dashboards = resourceFor('dashboards');
  return hits.map(({ resource, name, title, folder }): Entry => {
    const isFolder = resource === 'folders' || dashboards === undefined;
    return {
      key: `${resource} ${name}`,
      group: 'Folders and dashboards',
      title,
      note: folder === undefined ? '' : (titles.get(folder) ?? ''),
      icon: isFolder ? 'folders' : 'kinds',
      run: () => go(isFolder ? places.folders(name) : places.object(dashboards, where, name)),
    };
  });
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
  const found = await Promise.allSettled([
    members(page, signal).then(({ items }) =>
      items.map((one) => entry('users', { uid: one.uid, title: called(one), note: one.login })),
    ),
    teams(page, signal).then(({ items }) =>
      items.map(({ uid, name }) => entry('teams', { uid, title: name, note: 'Team' })),
    ),
    accounts(page, signal).then(({ items }) =>
      items.map(({ uid, name }) => entry('accounts', { uid, title: name, note: 'Service account' })),
    ),
  ]);
  return found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
}
