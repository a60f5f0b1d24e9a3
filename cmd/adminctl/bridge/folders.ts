import { z } from 'zod';
import { narrow, type Present, widen } from './access.js';
import type { Draft } from './draft.js';
import { each } from './each.js';
import { liveOf } from './granting.js';
import { type Move, PARALLEL, storing, taking } from './move.js';
import { type Closed, isHeldBack, isOpened, storeClosed } from './opening.js';
import type { People } from './people.js';
import { type AccessReader, folderIn, levelsAbove, type Places, readAccess } from './place.js';
import { FOLDERS } from './resources.js';
import { type Found, searched } from './search.js';

const Folder = z.object({
  id: z.number().optional(),
  title: z.string(),
  description: z.string().optional(),
  created: z.string().optional(),
  createdBy: z.string().optional(),
  updated: z.string().optional(),
  updatedBy: z.string().optional(),
  version: z.number().optional(),
});

interface Taken {
  readonly places: Places;
  /** Those that are not yet as open as there, from the root down. */
  readonly closed: readonly Closed[];
}

/**
 * Takes folders from the root down, each with its permissions, before anything that lies in them. A private one is
 * made private in the commit that creates it. One that is here already is not opened before its contents are as there.
 */
export async function takeFolders(move: Move, teams: People, here: Present): Promise<Taken> {
  const places: Places = new Map();
  const closed: Closed[] = [];
  const access: AccessReader = { teams, what: 'folder', path: (uid) => `/api/folders/${uid}/permissions` };
  const found = await searched(move, 'folders', 'dash-folder');
  const bar = move.progress('folders');
  let done = 0;
  for (const level of levelsOf(found))
    await each(level, PARALLEL, async (folder) => {
      await takeFolder(move, folder, { places, closed, access, here, found });
      bar.update(++done, found.length);
    });
  bar.stop();
  return { places, closed };
}

/** The folders at the root, then those in them, and so on. What lies in no known folder comes last. */
function levelsOf(found: readonly Found[]): readonly (readonly Found[])[] {
  const levels: (readonly Found[])[] = [];
  const known = new Set<string>();
  for (let left = found; left.length > 0; ) {
    const isNext = ({ folderUid }: Found): boolean => {
      const parent = folderIn(folderUid);
      return parent === undefined || known.has(parent);
    };
    const level = left.filter(isNext);
    levels.push(level.length === 0 ? left : level);
    if (level.length === 0) break;
    for (const { uid } of level) known.add(uid);
    left = left.filter((folder) => !known.has(folder.uid));
  }
  return levels;
}

interface Shared {
  readonly places: Places;
  readonly closed: Closed[];
  readonly found: readonly Found[];
  readonly access: AccessReader;
  readonly here: Present;
}

async function takeFolder(move: Move, { uid, title, folderUid }: Found, shared: Shared): Promise<void> {
  const { places, access, here, closed } = shared;
  const parent = folderIn(folderUid);
  const above = levelsAbove(places, parent);
  const name = `${uid} (${title})`;
  if (above === undefined) return move.report.skip(FOLDERS.plural, name, `its folder ${parent} was not taken`);
  await taking(move, FOLDERS.plural, name, async () => {
    const folder = await move.source.get(`/api/folders/${encodeURIComponent(uid)}`, Folder);
    const may = await readAccess(move, access, encodeURIComponent(uid), { above, isAtRoot: parent === undefined });
    const draft = draftOf(move, uid, folder, { folder: parent, 'basic-roles': may.isPrivate ? 'none' : undefined });
    const live = await liveOf(move, FOLDERS, uid);
    await narrow(move, 'folder', uid, here, may);
    if (live !== undefined && (await isHeldBack(move, live, draft, shared.found)))
      return move.report.skip(FOLDERS.plural, name, 'it stays where it is, because it holds what is not there');
    if (live !== undefined && isOpened(move, live, draft, may, here))
      closed.push({ draft, may, ...(await storeClosed(move, live, draft)) });
    else {
      await storing(move, FOLDERS, draft);
      await widen(move, 'folder', uid, here, may);
    }
    places.set(uid, may.levels);
  });
}

function draftOf(
  { people }: Move,
  name: string,
  { title, description, id, created, createdBy, updated, updatedBy, version }: z.infer<typeof Folder>,
  annotations: Required<Draft>['annotations'],
): Draft {
  const authors = { createdBy: people.authorOf(createdBy), updatedBy: people.authorOf(updatedBy) };
  const spec = { title, description: description || undefined };
  return { name, spec, annotations, origin: { id, created, updated, version, ...authors } };
}
