import { ownKey, ownResource, type Resource } from '../../../lib/discovery.js';
import type { KubeObject } from '../../../lib/object.js';

export type FolderSpec = {
  readonly title: string;
  readonly description?: string;
  /** Only dashboards have tags. */
  readonly tags?: readonly string[];
};

export type Folder = KubeObject<FolderSpec>;

/** The name of the root in paths and queries. No folder can have this name. */
export const ROOT = 'general';

/** The kinds that this page lists. */
export const KINDS = ['folders', 'dashboards', 'libraryelements', 'alertrules'] as const;
export type KindName = (typeof KINDS)[number];

/** The first word of the API group of each kind, and its name in singular and plural. */
export const WORDS: Readonly<Record<KindName, readonly [group: string, one: string, many: string]>> = {
  folders: ['folder', 'folder', 'folders'],
  dashboards: ['dashboard', 'dashboard', 'dashboards'],
  libraryelements: ['dashboard', 'library element', 'library elements'],
  alertrules: ['rules', 'alert rule', 'alert rules'],
};

/** The resource of a kind, if this server has it. */
export function resourceFor(kind: KindName): Resource | undefined {
  return ownResource(WORDS[kind][0], kind);
}

/** Whether the objects of a kind lie in folders, or at the root. */
export function isInFolders({ group, resource }: Pick<Resource, 'group' | 'resource'>): boolean {
  const kind = KINDS.find((one) => one === resource);
  return kind !== undefined && resourceFor(kind)?.group === group;
}

/** Whether a resource is that of folders, in any version. */
export function isFolders(resource: Pick<Resource, 'group' | 'resource'>): boolean {
  return resource.resource === KINDS[0] && isInFolders(resource);
}

/** The name of a kind for people: `Alert rule`, or the name that the API has for it. */
export function kindWord(resource: Pick<Resource, 'group' | 'resource' | 'kind'>): string {
  if (!isInFolders(resource)) return resource.kind;
  const word = WORDS[resource.resource as KindName][1];
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** The resource of folders. Throws if the server does not serve it. */
export function folders(): Resource {
  const found = resourceFor('folders');
  if (found === undefined) throw new Error('This server has no folders.');
  return found;
}

/** The folder that an object lies in. Empty at the root. */
export function parentOf({ metadata }: KubeObject<unknown>): string {
  return metadata.annotations?.[ownKey('folder')] ?? '';
}

/** Why something is private: by itself, or by a folder above it. */
export type Lock = 'own' | 'above';

/** What the lock of a private folder or dashboard means. */
export const LOCKS: Readonly<Record<Lock, string>> = {
  own: 'Private by itself: what Viewers and Editors have on the folders above ends here.',
  above: 'It lies in a private folder: Viewers and Editors have nothing here by their role.',
};

/** Whether what Viewers and Editors have on the folders above ends here. What lies in it is private by this. */
export function isPrivateFolder({ metadata }: KubeObject<unknown>): boolean {
  return metadata.annotations?.[ownKey('basic-roles')] === 'none';
}

/** A number of objects of a kind, in words. */
export function counted(kind: KindName, count: number): string {
  return `${count.toLocaleString('en')} ${WORDS[kind][count === 1 ? 1 : 2]}`;
}
