import { resourceName } from '../../../registry/kinds/names.js';

/** The resources that mirrors read, by what they are. */
export function resourcesIn(domain: string) {
  return {
    folders: resourceName('folder/folders', domain),
    dashboards: resourceName('dashboard/dashboards', domain),
    elements: resourceName('dashboard/libraryelements', domain),
    bindings: resourceName('iam/rolebindings', domain),
    teams: resourceName('iam/teams', domain),
    members: resourceName('iam/teambindings', domain),
    preferences: resourceName('preferences/preferences', domain),
    users: resourceName('iam/users', domain),
    organizations: resourceName('iam/organizations', domain),
    secrets: 'secrets',
    mirrors: resourceName('mirror/mirrors', domain),
  };
}
export type Resources = ReturnType<typeof resourcesIn>;

/** What a mirror keeps in step there, by the first part of its key. */
export const KINDS = {
  team: 'Team',
  folder: 'Folder',
  element: 'LibraryElement',
  dashboard: 'Dashboard',
  preferences: 'Preferences',
} as const;
export type KindWord = keyof typeof KINDS;
/** What lies in folders. Elements come first, because dashboards name them. */
export const CONTENTS = ['element', 'dashboard'] as const;
export type ContentWord = (typeof CONTENTS)[number];

/** `dashboard/uid`. */
export type Key = `${KindWord}/${string}`;

export function keyOf(kind: KindWord, name: string): Key {
  return `${kind}/${name}`;
}

export function partsOf(key: Key): { readonly kind: KindWord; readonly name: string } {
  const end = key.indexOf('/');
  return { kind: key.slice(0, end) as KindWord, name: key.slice(end + 1) };
}

/** Whether it is a folder, or lies in one. Others have no place. */
export function liesInFolder(key: Key): boolean {
  return !key.startsWith('team/') && !key.startsWith('preferences/');
}
