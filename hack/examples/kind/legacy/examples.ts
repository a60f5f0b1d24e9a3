import { nameOf } from '../../../../apis/testing/cast.js';
import type { LegacyExamples } from '../../../../apis/testing/legacy-examples.js';

export const legacy: LegacyExamples = {
  rows: `
#                                                     anon viewer editor admin root botV botA member lead outsider
# Playlists: by role
GET    /playlists                                     401  yes    yes    yes   yes  yes  yes  yes    yes  none
POST   /playlists                                     401  403    yes    yes   yes  403  yes  403    403  403
GET    /playlists/:uid                                401  yes    yes    yes   yes  yes  yes  yes    yes  403
PUT    /playlists/:uid                                401  403    yes    yes   yes  403  yes  403    403  403
DELETE /playlists/:uid                                401  403    yes    yes   yes  403  yes  403    403  403
`,
  objects: {
    playlist: ({ made, fresh }) =>
      made('playlist.svc.app/v1beta1', 'Playlist', fresh('playlist'), { title: fresh('Playlist') }),
  },
  params: { ':uid': (targets) => nameOf(targets('playlist')) },
  requests: {
    'GET /playlists': async ({ shared }) => ({ shows: await nameOf(shared('playlist')) }),
    'POST /playlists': async ({ cast }) => ({ body: { name: cast.fresh('Playlist') } }),
    'PUT /playlists/:uid': async ({ cast }) => ({ body: { name: cast.fresh('Renamed') } }),
  },
};
