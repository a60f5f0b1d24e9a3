import { get } from '../../../lib/api.js';
import { callIn, getIn } from '../../../lib/organization.js';
import { withoutOverrides } from '../../../lib/without-overrides.js';
import { folders, type KindName, resourceFor } from './kinds.js';

/** What a search tells of a hit on request. */
export interface Details {
  readonly updated?: string;
  readonly updatedBy?: { readonly login: string; readonly name: string };
  /** How many objects of each kind lie directly in a folder. */
  readonly contents?: Counts;
}

/** A folder or a dashboard that a search has found. */
export interface Hit extends Details {
  readonly resource: 'folders' | 'dashboards';
  readonly name: string;
  readonly title: string;
  readonly tags?: readonly string[];
  /** The folder that it lies in. Absent at the root. */
  readonly folder?: string;
  /** Whether what Viewers and Editors have on the folders above ends here. */
  readonly private?: boolean;
  /** Whether a folder above it is private, also one that the caller may not view. */
  readonly inPrivate?: boolean;
}

export interface Hits {
  readonly hits: readonly Hit[];
  readonly totalHits: number;
  /** Counts of all hits, by the facets that were asked for. */
  readonly facets?: Readonly<Record<Facet, { readonly terms: readonly TagCount[] }>>;
}

/** Hits by their tags, or by their kinds. */
export type Facet = 'tags' | 'resource';

export interface Query {
  readonly query?: string;
  readonly type?: 'folder' | 'dashboard';
  /** Dashboards have all of them. */
  readonly tag?: readonly string[];
  /** Names of folders, separated by commas. */
  readonly folder?: string;
  readonly name?: string;
  /** The best first, what was changed last first, or by title backwards. By title if it is left out. */
  readonly sort?: 'rank' | 'changed' | '-title';
  readonly facet?: readonly Facet[];
  /** With details of each hit. Then a page has at most 100. */
  readonly details?: boolean;
  readonly offset?: number;
  readonly limit: number;
}

/** A page of the folders and dashboards that match. */
export async function find(namespace: string, query: Query, signal?: AbortSignal): Promise<Hits> {
  const group = (resourceFor('dashboards') ?? folders()).group;
  const path = `/apis/${group}/v0alpha1/namespaces/${encodeURIComponent(namespace)}/search`;
  const found = await get<Hits>(path, { ...query }, signal);
  return { ...found, hits: found.hits.map((hit) => ({ ...hit, title: withoutOverrides(hit.title) })) };
}

export interface TagCount {
  readonly term: string;
  readonly count: number;
}

/** How many objects of each kind lie in a folder and below it. */
export type Counts = Readonly<Partial<Record<KindName, number>>>;

export async function countsBelow(namespace: string, name: string, signal?: AbortSignal): Promise<Counts> {
  const path = `/api/folders/${encodeURIComponent(name)}/counts`;
  const { folder, dashboard, library_elements, alertrule } = await getIn<Readonly<Record<string, number>>>(
    namespace,
    path,
    {},
    signal,
  );
  return {
    ...(folder !== undefined && { folders: folder }),
    ...(dashboard !== undefined && { dashboards: dashboard }),
    ...(library_elements !== undefined && { libraryelements: library_elements }),
    ...(alertrule !== undefined && { alertrules: alertrule }),
  };
}

/** A folder in the legacy API, which has the logins of people and the folders above. */
export interface About {
  readonly title: string;
  readonly createdBy: string;
  readonly created: string;
  readonly updatedBy: string;
  readonly updated: string;
  readonly version: number;
  readonly parents?: readonly { readonly uid: string; readonly title: string }[];
}

export function aboutFolder(namespace: string, name: string, signal?: AbortSignal): Promise<About> {
  return getIn<About>(namespace, `/api/folders/${encodeURIComponent(name)}`, {}, signal);
}

/** The names of the dashboards that the caller has starred. */
export async function starredNames(namespace: string, signal?: AbortSignal): Promise<readonly string[]> {
  return getIn<readonly string[]>(namespace, '/api/user/stars', {}, signal);
}

export async function setStar(namespace: string, dashboard: string, isStarred: boolean): Promise<void> {
  const path = `/api/user/stars/dashboard/uid/${encodeURIComponent(dashboard)}`;
  await callIn(namespace, isStarred ? 'POST' : 'DELETE', path);
}
