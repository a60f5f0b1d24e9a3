import { type RoleLevels, USUAL_LEVELS } from '../../../apis/iam/rolebinding/legacy/role-levels.js';
import type { LegacyClient } from '../../../pkg/legacyclient/client.js';
import { type Access, AccessList, accessOf, CLOSED, type ListContext } from './access.js';
import { isRefusal, type Move } from './move.js';
import type { People } from './people.js';

/** The folders that were taken, and what the basic roles have in them. */
export type Places = Map<string, RoleLevels>;

/** The uid of the root in answers of the source. */
const ROOT: ReadonlySet<string> = new Set(['', 'general']);

/** The folder that an object lies in, or `undefined` for the root. */
export function folderIn(uid: string | undefined): string | undefined {
  return uid === undefined || ROOT.has(uid) ? undefined : uid;
}

/** What the basic roles have on an object by its folder. `undefined` if that was not taken. */
export function levelsAbove(places: Places, folder: string | undefined): RoleLevels | undefined {
  return folder === undefined ? USUAL_LEVELS : places.get(folder);
}

/** What is the same for all objects of a kind that have permissions. */
export interface AccessReader {
  readonly teams: People;
  /** `folders` or `dashboards`. */
  readonly what: string;
  /** The address of the list of an object. */
  path(uid: string): string;
}

/**
 * Who may use an object. If that cannot be read, it is closed to all but administrators, because it must not be open to
 * more people here than there.
 */
export async function readAccess(
  { source, people, report }: Move,
  { teams, what, path }: AccessReader,
  uid: string,
  at: Pick<ListContext, 'above' | 'isAtRoot'>,
): Promise<Access> {
  const onUnknown = (item: string): void =>
    report.skip('rolebindings', `of ${item} on ${what} ${uid}`, 'it was not taken');
  try {
    return accessOf(await listOf(source, path(uid)), { ...at, people, teams, onUnknown });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    report.skip(`permissions of ${what}`, uid, `${error.message}. It is private here`);
    return CLOSED;
  }
}

const listOf = (source: LegacyClient, path: string) => source.get(path, AccessList);
