import { z } from 'zod';
import { pages } from '../../../pkg/legacyclient/pages.js';
import { allOf, type Move } from './move.js';

const Found = z.object({ uid: z.string(), title: z.string(), folderUid: z.string().optional() });
export type Found = z.infer<typeof Found>;

/** Every folder, or every dashboard, that the credential may see. */
export function searched(move: Move, what: string, type: 'dash-folder' | 'dash-db'): Promise<readonly Found[]> {
  const options = {
    path: '/api/search',
    schema: z.array(Found),
    size: 1000,
    sizeParameter: 'limit',
    query: { type },
  };
  return allOf(move, what, pages(move.source, options));
}
