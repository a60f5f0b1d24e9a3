import type { Resource } from '../lib/discovery.js';

/** The places of the console, as paths below its root. All links are made here. */
export const places = {
  folders: (name?: string): string => (name === undefined ? '/folders' : `/folders/${encodeURIComponent(name)}`),
  kinds: (): string => '/kinds',
  kind: ({ group, version, resource }: Pick<Resource, 'group' | 'version' | 'resource'>): string =>
    `/kinds/${group === '' ? 'core' : group}/${version}/${resource}`,
  /** `namespace` is empty for objects outside of namespaces. */
  object: (
    { group, version, resource }: Pick<Resource, 'group' | 'version' | 'resource'>,
    namespace: string | undefined,
    name: string,
    tab?: string,
  ): string =>
    `/objects/${group === '' ? 'core' : group}/${version}/${resource}/${encodeURIComponent(namespace || '-')}/${encodeURIComponent(name)}${tab === undefined ? '' : `/${tab}`}`,
  create: ({ group, version, resource }: Pick<Resource, 'group' | 'version' | 'resource'>): string =>
    `/create/${group === '' ? 'core' : group}/${version}/${resource}`,
  trash: (): string => '/trash',
  people: (tab?: string): string => (tab === undefined ? '/people' : `/people/${tab}`),
  /** What a role of the server allows, such as Viewer. */
  builtInRole: (name: string): string => `/people/roles?built-in=${encodeURIComponent(name)}`,
  /** With a folder, the question is who may do something with it. */
  access: (folder?: string): string =>
    folder === undefined ? '/access' : `/access?ask=who&object=${encodeURIComponent(folder)}`,
  /** Who may do something with the objects of a kind. The kind is the value of the field for it. */
  whoMay: (kind: string, verb: string): string => `/access?ask=who&kind=${encodeURIComponent(kind)}&verb=${verb}`,
  /** What a user, a team or a service account may do. */
  accessOf: (kind: 'User' | 'Team' | 'ServiceAccount', name: string): string =>
    `/access?ask=what&subject=${kind}/${encodeURIComponent(name)}`,
  user: (name: string): string => `/people/users?open=${encodeURIComponent(name)}`,
  team: (name: string): string => `/people/teams?open=${encodeURIComponent(name)}`,
  account: (): string => '/account',
  sets: (name?: string): string => (name === undefined ? '/sets' : `/sets/${encodeURIComponent(name)}`),
  plan: (): string => '/plan',
  mirrors: (): string => '/mirrors',
  server: (): string => '/server',
};

/** The API group of a path of the console. `core` stands for the core group, whose name is empty. */
export function groupIn(path: string): string {
  return path === 'core' ? '' : path;
}

/** The name in a path of the console. The router leaves reserved characters encoded. */
export function nameIn(path = ''): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** What is shown in another organization in place of a page: the same page without its object. */
export function pageIn(path: string): string {
  const [, page = '', ...parts] = path.split('/');
  const [group, version, resource, place] = parts;
  if (page === 'objects' && place !== '-') return `/kinds/${group}/${version}/${resource}`;
  if (page === 'folders' || page === 'sets') return `/${page}`;
  return path;
}
