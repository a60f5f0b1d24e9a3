import { member } from '../../../pkg/dashboards/model.js';
import { isObject } from '../../../pkg/system/object/is-object.js';
import { foundIn } from './contents.js';
import { type Found, leftOut } from './found.js';
import * as legacy from './legacy.js';
import { BY_FOLDER, OLDER_RULES, UNKNOWN } from './reasons.js';
import { text } from './values.js';

/** A file of gdg: `org_main-org/dashboards/A/B/latency.json` has the resource `dashboards` and the rest after it. */
export interface GdgFile {
  readonly organization: string;
  readonly resource: string;
  readonly rest: readonly string[];
}

type Reader = (value: unknown, origin: string, rest: readonly string[]) => readonly Found[];

/** The path counts, unless the file names a folder of the tree: the uid in it may be that of another server. */
const inFolders: Reader = (value, origin, rest) => {
  const path = pathOf(rest.slice(0, -1));
  return foundIn(value, { origin, place: { path } }).map((found) =>
    'place' in found ? { ...found, place: { ...found.place, path } } : found,
  );
};

const RULES = 'alerting-rules';

const READERS: Readonly<Record<string, Reader>> = {
  dashboards: inFolders,
  libraryelements: inFolders,
  [RULES]: inFolders,
  alerting: (value, origin) => foundIn(value, { origin, place: {} }),
  folders: (value, origin, rest) => {
    const folder = legacy.folderIn(value, origin);
    const name = withoutEnd(rest.at(-1) ?? '');
    // Older versions name the file by the slug of the title, and what lies in the folder still by the title.
    const last = slugOf(folder.title) === name ? folder.title : decoded(name);
    return [{ ...folder, path: [...pathOf(rest.slice(0, -1)), last] }];
  },
  'folders-permissions': (value, origin, rest) => {
    if (!Array.isArray(value)) throw new Error(`${origin}: this is no list of permissions.`);
    const slug = withoutEnd(rest.at(-1) ?? '');
    return [{ what: 'permissions', origin, on: 'folder', uid: text(value[0], 'uid'), slug, items: value }];
  },
  'dashboards-permissions': (value, origin) => {
    const uid = text(value, 'dashboard_uid') || text(member(value, 'Dashboard'), 'uid');
    const items = member(value, 'permissions') ?? member(value, 'Permissions');
    if (uid === '' || !Array.isArray(items)) throw new Error(`${origin}: these are no permissions of a dashboard.`);
    return [{ what: 'permissions', origin, on: 'dashboard', uid, slug: '', items }];
  },
  teams: (value, origin) => (Array.isArray(value) ? membersIn(value, origin) : [legacy.teamIn(value, origin)]),
};

function membersIn(values: readonly unknown[], origin: string): readonly Found[] {
  const directory = legacy.directoryOf(origin);
  return values.map((value, i) => {
    const at = `${origin}, item ${i + 1}`;
    return isObject(value) ? { what: 'member', origin: at, value, directory } : leftOut(at, UNKNOWN);
  });
}

/** The titles of the folders of a path. A title is encoded as in the query of an address. */
function pathOf(names: readonly string[]): readonly string[] {
  return names.map(decoded);
}

const slugOf = (title: string): string =>
  title
    .toLowerCase()
    .match(/[a-z0-9_]+/g)
    ?.join('-') ?? '';

const withoutEnd = (name: string): string => name.replace(/\.json$/i, '');

function decoded(name: string): string {
  try {
    return decodeURIComponent(name.replaceAll('+', ' '));
  } catch {
    return name;
  }
}

const ORGANIZATION = /^org_/;
const RESOURCES: readonly string[] = [...Object.keys(READERS), ...Object.keys(BY_FOLDER)];

/** Whether a tree is one of gdg, also without a folder for the organization in it. */
export function isGdgTree(names: readonly string[]): boolean {
  const parts = names.map((name) => name.split('/'));
  const first = new Set(parts.map(([name = '']) => name));
  const isWithResources = first.has('dashboards') && [...first].filter((name) => RESOURCES.includes(name)).length > 1;
  return isWithResources || parts.some((folders) => folders.slice(0, -1).some((name) => ORGANIZATION.test(name)));
}

export function gdgFileOf(name: string): GdgFile | undefined {
  const parts = name.split('/');
  const at = parts.slice(0, -1).findIndex((part) => ORGANIZATION.test(part));
  const [resource = '', ...rest] = parts.slice(at + 1);
  return rest.length > 0 && RESOURCES.includes(resource)
    ? { organization: parts[at] ?? '', resource, rest }
    : undefined;
}

/** Why a file is not read. `undefined` if it is. Older versions keep all rules in one file. */
export function leftOutOfGdg({ resource, rest }: GdgFile, names: readonly string[]): string | undefined {
  if (resource !== 'alerting' || rest.join('/') !== 'rules.json') return BY_FOLDER[resource];
  return names.some((name) => gdgFileOf(name)?.resource === RULES) ? OLDER_RULES : undefined;
}

export function gdgFoundIn(value: unknown, origin: string, { resource, rest }: GdgFile): readonly Found[] {
  return READERS[resource]?.(value, origin, rest) ?? [leftOut(origin, UNKNOWN)];
}
