import { member } from '../../../pkg/dashboards/model.js';
import { isObject } from '../../../pkg/system/object/is-object.js';
import { foundIn } from './contents.js';
import { type Found, leftOut } from './found.js';
import * as legacy from './legacy.js';
import { UNKNOWN } from './reasons.js';
import { text } from './values.js';

/** Files of grafana-backup-tool have an ending that says what is in them: the answer of the legacy API. */
type Reader = (value: unknown, origin: string) => readonly Found[];

/** What is found must be of this kind. Otherwise the file is left out. */
const only =
  (what: Found['what']): Reader =>
  (value, origin) =>
    foundIn(value, { origin, place: {} }).map((found) => (found.what === what ? found : leftOut(origin, UNKNOWN)));

export const BACKUP_FILES: Readonly<Record<string, Reader>> = {
  dashboard: only('dashboard'),
  library_element: only('element'),
  alert_rule: only('rule'),
  folder: (value, origin) => [legacy.folderIn(value, origin)],
  team: (value, origin) => [legacy.teamIn(value, origin)],
  team_member: (value, origin) => [teamMember(value, origin)],
  folder_permission: (value, origin) => {
    const name = origin.slice(origin.lastIndexOf('/') + 1, origin.lastIndexOf('.'));
    return [permissionsIn(value, origin, name)];
  },
};

function teamMember(value: unknown, origin: string): Found {
  return isObject(value) ? { what: 'member', origin, value, directory: '' } : leftOut(origin, UNKNOWN);
}

/** The permissions of a folder. Each of them has its uid. For an empty list, the name of the file counts. */
function permissionsIn(value: unknown, origin: string, name: string): Found {
  const items = Array.isArray(value) ? (value as readonly unknown[]) : member(value, 'items');
  if (!Array.isArray(items)) throw new Error(`${origin}: this is no list of permissions.`);
  return { what: 'permissions', origin, on: 'folder', uid: text(items[0], 'uid') || name, slug: '', items };
}
