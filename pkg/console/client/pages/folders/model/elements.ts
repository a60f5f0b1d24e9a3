import { ApiError } from '../../../lib/api.js';
import { getIn } from '../../../lib/organization.js';
import type { Details } from './find.js';
import { type KindName, ROOT, resourceFor } from './kinds.js';

/** A row of the contents of a folder, or of what a search has found. */
export interface Item {
  readonly kind: KindName;
  readonly name: string;
  readonly title: string;
  readonly tags?: readonly string[] | undefined;
  /** The folder that it lies in. Empty at the root. */
  readonly folder: string;
  readonly isPrivate?: boolean;
  /** Whether the server has said that a folder above it is private. */
  readonly isInPrivate?: boolean;
  /** A type or a group, which is shown below the title. */
  readonly note?: string;
  /** If its list has told them. Otherwise they are asked for. */
  readonly details?: Details;
}

export interface ItemPage {
  readonly items: readonly Item[];
  readonly total: number;
}

interface Elements {
  readonly result: {
    readonly totalCount: number;
    readonly elements: readonly {
      readonly uid: string;
      readonly name: string;
      readonly type: string;
      readonly meta?: { readonly updated?: string; readonly updatedBy?: { readonly name: string } };
    }[];
  };
}

/** A page of the library elements in a folder. The offset must be a multiple of the limit. */
export async function libraryElements(
  namespace: string,
  folder: string,
  { offset, limit }: { readonly offset: number; readonly limit: number },
  signal?: AbortSignal,
): Promise<ItemPage> {
  if (resourceFor('libraryelements') === undefined) return { items: [], total: 0 };
  const { result } = await getIn<Elements>(
    namespace,
    '/api/library-elements',
    {
      folderFilterUIDs: folder === '' ? ROOT : folder,
      perPage: limit,
      page: Math.floor(offset / limit) + 1,
    },
    signal,
  );
  const items = result.elements.map(
    ({ uid, name, type, meta: { updated, updatedBy } = {} }): Item => ({
      kind: 'libraryelements',
      name: uid,
      title: name,
      folder,
      note: type,
      details: {
        ...(updated !== undefined && { updated }),
        ...(updatedBy !== undefined && { updatedBy: { login: updatedBy.name, name: updatedBy.name } }),
      },
    }),
  );
  return { items, total: result.totalCount };
}

type Groups = Readonly<
  Record<
    string,
    readonly {
      readonly name: string;
      readonly rules: readonly {
        readonly grafana_alert: { readonly uid: string; readonly title: string; readonly updated?: string };
      }[];
    }[]
  >
>;

/** The alert rules in a folder, all at once. The root has none. */
export async function alertRules(namespace: string, folder: string, signal?: AbortSignal): Promise<ItemPage> {
  if (folder === '' || resourceFor('alertrules') === undefined) return { items: [], total: 0 };
  const path = `/api/ruler/grafana/api/v1/rules/${encodeURIComponent(folder)}`;
  const groups = await getIn<Groups>(namespace, path, {}, signal).catch((error: unknown) => {
    if (error instanceof ApiError && (error.code === 404 || error.code === 403)) return {};
    throw error;
  });
  const items = Object.values(groups)
    .flat()
    .flatMap(({ name: group, rules }) =>
      rules.map(
        ({ grafana_alert: { uid, title, updated } }): Item => ({
          kind: 'alertrules',
          name: uid,
          title,
          folder,
          note: `group ${group}`,
          details: updated === undefined ? {} : { updated },
        }),
      ),
    );
  return { items, total: items.length };
}
