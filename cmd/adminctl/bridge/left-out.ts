import { z } from 'zod';
import { isRefusal, type Move } from './move.js';

const Some = z.union([
  z.array(z.unknown()),
  z.looseObject({ items: z.array(z.unknown()) }).transform(({ items }) => items),
  z.looseObject({ playlists: z.array(z.unknown()) }).transform(({ playlists }) => playlists),
]);

/** What a source may have that is no kind here. */
const NO_KIND: readonly { readonly what: string; readonly path: string }[] = [
  { what: 'playlists', path: '/api/playlists' },
  { what: 'snapshots', path: '/api/dashboard/snapshots' },
  { what: 'data sources', path: '/api/datasources' },
  { what: 'contact points', path: '/api/v1/provisioning/contact-points' },
  { what: 'mute timings', path: '/api/v1/provisioning/mute-timings' },
  { what: 'templates of notifications', path: '/api/v1/provisioning/templates' },
  { what: 'reports', path: '/api/reports' },
  { what: 'API keys', path: '/api/auth/keys' },
  { what: 'public dashboards', path: '/api/dashboards/public-dashboards' },
];

/** Tells how much of what has no kind here the source has. A source without such a list has none of it. */
export async function tellLeftOut({ source, report }: Pick<Move, 'source' | 'report'>): Promise<void> {
  for (const { what, path } of NO_KIND) {
    try {
      const { length } = await source.get(path, Some);
      if (length > 0) report.leaveOut(what, `there are ${length} or more, and there is no such kind here`);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      if (error.status !== 404) report.note(what, `whether there are some cannot be read: ${error.message}`);
    }
  }
}
