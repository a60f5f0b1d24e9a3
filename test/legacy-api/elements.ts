import type { Body } from '../harness/body.js';
import type { Server } from '../harness/server.js';
import { dashboardsOf } from '../resource-api/dashboards.js';
import { fresh, type Json, legacyOf } from './legacy.js';

export const ELEMENTS = '/library-elements';

export interface LegacyElements {
  make(more?: Json): Promise<Json>;
  get(uid: string): Promise<Json>;
  folder(title?: string): Promise<Json>;
  /** Creates a dashboard with a panel that shows the element. */
  connect(uid: string, more?: object): Promise<Body>;
}

/** Short calls for library elements, as the administrator. */
export function legacyElementsOf(server: () => Server): LegacyElements {
  const { ask } = legacyOf(server);
  const dashboards = dashboardsOf(server);
  return {
    make: async (more = {}) => {
      const body = { name: fresh('Element'), kind: 1, model: { type: 'stat' }, ...more };
      return (await ask(200, 'POST', ELEMENTS, body)).result;
    },
    get: async (uid) => (await ask(200, 'GET', `${ELEMENTS}/${uid}`)).result,
    folder: (title = fresh('Folder')) => ask(200, 'POST', '/folders', { title }),
    connect: (uid, more = {}) =>
      dashboards.make(fresh('board'), { spec: { panels: [{ id: 1, libraryPanel: { uid, name: 'x' } }] }, ...more }),
  };
}
