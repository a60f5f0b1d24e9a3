import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import { type Access, isWider, type Present, widen } from './access.js';
import type { Draft } from './draft.js';
import { type Move, taking } from './move.js';
import type { Outcome } from './report.js';
import { DASHBOARDS, ELEMENTS, FOLDERS, type Resource, RULES } from './resources.js';
import { type Found, searched } from './search.js';

/** A folder that is less open here than there until all that lies in it is as it is there. */
export interface Closed {
  readonly draft: Draft;
  readonly may: Access;
  /** What became of it until then. */
  readonly outcome: Outcome;
}

/** Whether the folder would be opened: to the basic roles, to those of another folder, or to somebody. */
export function isOpened(move: Move, live: KubeObject, draft: Draft, may: Access, here: Present): boolean {
  const wasPrivate = annotationOf(move, live, PRIVATE) !== undefined;
  const grants = may.grants.filter(({ subject }) => !move.trust.isStranger(move.namespace, subject));
  const isGiven = isWider('folder', draft.name, here, { ...may, grants });
  return (wasPrivate && !may.isPrivate) || isMoved(move, live, draft) || isGiven;
}

const PRIVATE = 'basic-roles';
const FOLDER = 'folder';
const isMoved = (move: Move, live: KubeObject, { annotations = {} }: Draft): boolean =>
  annotationOf(move, live, FOLDER) !== annotations[FOLDER];

function annotationOf({ target }: Move, { metadata }: KubeObject, key: string): string | undefined {
  return metadata.annotations?.[`${target.domain}/${key}`] || undefined;
}

/**
 * Whether a folder that lies elsewhere there holds a folder or dashboard that the source has not. The people of the
 * other place would see it.
 */
export async function isHeldBack(
  move: Move,
  live: KubeObject,
  draft: Draft,
  folders: readonly Found[],
): Promise<boolean> {
  if (!isMoved(move, live, draft)) return false;
  const dashboards = await searched(move, 'dashboards', 'dash-db');
  const there = new Set([
    ...folders.map(({ uid }) => keyOf(FOLDERS, uid)),
    ...dashboards.map(({ uid }) => keyOf(DASHBOARDS, uid)),
  ]);
  const contents = await contentsHere(move, [FOLDERS, DASHBOARDS]);
  return othersIn(draft.name, contents, there).length > 0;
}

/** Stores everything but what opens the folder. One that comes elsewhere is private there at first. */
export async function storeClosed(move: Move, live: KubeObject, draft: Draft): Promise<Pick<Closed, 'outcome'>> {
  const isPrivate = isMoved(move, live, draft) || annotationOf(move, live, PRIVATE) !== undefined;
  const annotations = { ...draft.annotations, ...(isPrivate && { [PRIVATE]: 'none' }) };
  const { outcome } = await move.target.store(FOLDERS, move.namespace, { ...draft, annotations });
  move.taken.add(keyOf(FOLDERS, draft.name));
  return { outcome };
}

/**
 * Opens folders, from the root down. One that holds something which the source has not, or which was not taken, stays
 * as it is: it was put there, or left there, when fewer people could see it.
 */
export async function openFolders(move: Move, closed: readonly Closed[], here: Present): Promise<void> {
  if (closed.length === 0) return;
  const contents = await contentsHere(move);
  for (const { draft, may, outcome } of closed) {
    const others = othersIn(draft.name, contents, move.taken);
    if (others.length === 0)
      await taking(move, FOLDERS.plural, draft.name, async () => {
        const opened = await move.target.store(FOLDERS, move.namespace, draft);
        move.report.count(FOLDERS.plural, opened.outcome === 'same' ? outcome : opened.outcome);
        await widen(move, 'folder', draft.name, here, may);
      });
    else {
      move.report.count(FOLDERS.plural, outcome);
      const which = `${others.slice(0, NAMED).join(', ')}${others.length > NAMED ? ` and ${others.length - NAMED} more` : ''}`;
      move.report.skip('permissions of folder', draft.name, `${WHY}: ${which}`);
    }
  }
}

const NAMED = 3;
const WHY = 'it stays less open than there, because something in it was not taken from there';

/** What lies in folders here, by folder, as plural and name. */
type Contents = ReadonlyMap<string, readonly string[]>;

const HELD: readonly Resource[] = [FOLDERS, DASHBOARDS, ELEMENTS, RULES];
const keyOf = ({ plural }: Resource, name: string): string => `${plural}/${name}`;

async function contentsHere(move: Move, held = HELD): Promise<Contents> {
  const found = new Map<string, string[]>();
  for (const resource of held)
    for await (const object of move.target.list(resource, move.namespace, { namesOnly: true })) {
      const folder = annotationOf(move, object, FOLDER);
      if (folder === undefined) continue;
      const others = found.get(folder) ?? [];
      others.push(keyOf(resource, object.metadata.name));
      found.set(folder, others);
    }
  return found;
}

/** What lies in a folder and in those in it, and was not taken. */
function othersIn(folder: string, contents: Contents, taken: ReadonlySet<string>): readonly string[] {
  return (contents.get(folder) ?? []).flatMap((key) => {
    const [plural, name = ''] = key.split('/');
    const inside = plural === FOLDERS.plural ? othersIn(name, contents, taken) : [];
    return taken.has(key) ? inside : [key, ...inside];
  });
}
