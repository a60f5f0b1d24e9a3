import { z } from 'zod';
import type { Draft, Origin } from './draft.js';
import { type Move, storing } from './move.js';
import { DASHBOARDS } from './resources.js';

const Listed = z.object({
  version: z.number(),
  created: z.string().optional(),
  createdBy: z.string().optional(),
  message: z.string().optional(),
});
const List = z.union([z.array(Listed), z.object({ versions: z.array(Listed) }).transform(({ versions }) => versions)]);
const Version = z.object({ data: z.record(z.string(), z.unknown()) });

const MOST = 1000;

/**
 * Writes the earlier versions of a dashboard, oldest first, each at the place and with the privacy of today: what was
 * open once is not open again. Those that are here already are left out, so that an ended run can go on.
 */
export async function takeVersions(move: Move, uid: string, today: Draft): Promise<Pick<Origin, 'message'>> {
  const { source, target, namespace, people } = move;
  const path = `/api/dashboards/uid/${encodeURIComponent(uid)}/versions`;
  const listed = await source.get(path, List, { limit: MOST });
  const last = today.origin?.version ?? 0;
  const isThere = await target.has(DASHBOARDS, namespace, uid);
  const live = isThere ? await target.get(DASHBOARDS, namespace, uid) : undefined;
  const newer = listed.filter(({ version }) => version < last && version > (live?.metadata.generation ?? 0));
  for (const { version, created, createdBy, message } of newer.toSorted((a, b) => a.version - b.version)) {
    const { data } = await source.get(`${path}/${version}`, Version);
    const { id: _, uid: __, version: ___, ...spec } = data;
    const author = people.authorOf(createdBy);
    const origin = { ...today.origin, version, message, updated: created, ...(author && { updatedBy: author }) };
    await storing(move, DASHBOARDS, { ...today, spec, origin }, 'versions of dashboards');
  }
  return { message: listed.find(({ version }) => version === last)?.message || undefined };
}
