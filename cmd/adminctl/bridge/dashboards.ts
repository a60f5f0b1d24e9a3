import { z } from 'zod';
import { narrow, type Present, widen } from './access.js';
import { each } from './each.js';
import { type Move, PARALLEL, storing, taking } from './move.js';
import type { People } from './people.js';
import { type AccessReader, folderIn, levelsAbove, type Places, readAccess } from './place.js';
import { DASHBOARDS } from './resources.js';
import { type Found, searched } from './search.js';
import { takeVersions } from './versions.js';

const Answer = z.object({
  dashboard: z.record(z.string(), z.unknown()),
  meta: z.object({
    created: z.string().optional(),
    createdBy: z.string().optional(),
    updated: z.string().optional(),
    updatedBy: z.string().optional(),
    version: z.number().optional(),
    folderUid: z.string().optional(),
  }),
});

/** Takes dashboards with their permissions, when all folders have theirs. */
export async function takeDashboards(move: Move, teams: People, here: Present, places: Places): Promise<void> {
  const access: AccessReader = {
    teams,
    what: 'dashboard',
    path: (uid) => `/api/dashboards/uid/${uid}/permissions`,
  };
  const found = await searched(move, 'dashboards', 'dash-db');
  const bar = move.progress('dashboards');
  let done = 0;
  await each(found, PARALLEL, async (dashboard) => {
    await takeDashboard(move, dashboard, { places, access, here });
    bar.update(++done, found.length);
  });
  bar.stop();
}

interface Shared {
  readonly places: Places;
  readonly access: AccessReader;
  readonly here: Present;
}

async function takeDashboard(move: Move, { uid, title, folderUid }: Found, shared: Shared): Promise<void> {
  const { places, access, here } = shared;
  const folder = folderIn(folderUid);
  const above = levelsAbove(places, folder);
  const name = `${uid} (${title})`;
  if (above === undefined) return move.report.skip(DASHBOARDS.plural, name, `its folder ${folder} was not taken`);
  await taking(move, DASHBOARDS.plural, name, async () => {
    const path = encodeURIComponent(uid);
    const { dashboard, meta } = await move.source.get(`/api/dashboards/uid/${path}`, Answer);
    const may = await readAccess(move, access, path, { above, isAtRoot: folder === undefined });
    await narrow(move, 'dashboard', uid, here, may);
    const { id, uid: _, version: __, ...spec } = dashboard;
    const { created, createdBy, updated, updatedBy, version } = meta;
    const authors = { createdBy: move.people.authorOf(createdBy), updatedBy: move.people.authorOf(updatedBy) };
    const draft = {
      name: uid,
      spec,
      annotations: { folder, 'basic-roles': may.isPrivate ? 'none' : undefined },
      origin: { id: typeof id === 'number' ? id : undefined, created, updated, version, ...authors },
    };
    const said = move.hasHistory ? await takeVersions(move, uid, draft) : {};
    await storing(move, DASHBOARDS, { ...draft, origin: { ...draft.origin, ...said } });
    await widen(move, 'dashboard', uid, here, may);
  });
}
