import type { Desk } from '../model/desk.js';
import { find } from '../model/find.js';
import { ROOT } from '../model/kinds.js';
import { itemOf } from '../search/item.js';
import { pages, type Source } from './source.js';

const TYPES = [
  ['folders', 'folder'],
  ['dashboards', 'dashboard'],
] as const;

/** The folders and dashboards in a folder, those of these kinds, in an order of the server: `-changed` or `-title`. */
export function servedIn({ namespace }: Desk, folder: string, kinds: readonly string[], order: string): Source {
  const types = TYPES.filter(([kind]) => kinds.includes(kind)).map(([, type]) => type);
  const sort = order === '-changed' ? 'changed' : '-title';
  const type = types.length === 1 ? types[0] : undefined;
  const query = { folder: folder === '' ? ROOT : folder, sort, ...(type && { type }) } as const;
  return pages('served', async (range, signal) => {
    if (types.length === 0) return { items: [], total: 0 };
    const { hits, totalHits } = await find(namespace, { ...query, ...range }, signal);
    return { items: hits.map(itemOf), total: totalHits };
  });
}
