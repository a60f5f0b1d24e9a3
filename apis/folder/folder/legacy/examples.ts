import { addFolder, nameOf } from '../../../testing/cast.js';
import { accessRequests, idOf, type LegacyExamples, USUAL_PERMISSIONS } from '../../../testing/legacy-examples.js';

// Promise: specification 4.2
export const legacy: LegacyExamples = {
  rows: `
#                                                     anon viewer editor admin root botV botA member lead outsider
# Folders: by role
GET    /folders                                       401  yes    yes    yes   yes  yes  yes  yes    yes  none
GET    /folders/:uid                                  401  yes    yes    yes   yes  yes  yes  yes    yes  403
GET    /folders/id/:id                                401  yes    yes    yes   yes  yes  yes  yes    yes  403
GET    /folders/:uid/counts                           401  yes    yes    yes   yes  yes  yes  yes    yes  403
POST   /folders                                       401  403    yes    yes   yes  403  yes  403    403  403
PUT    /folders/:uid                                  401  403    yes    yes   yes  403  yes  403    403  403
DELETE /folders/:uid                                  401  403    yes    yes   yes  403  yes  403    403  403
POST   /folders/:uid/move                             401  403    yes    yes   yes  403  yes  403    403  403
# Permissions of folders: for administrators of the folder
GET    /folders/:uid/permissions                      401  403    403    yes   yes  403  yes  403    403  403
POST   /folders/:uid/permissions                      401  403    403    yes   yes  403  yes  403    403  403
GET    /access-control/folders/description            401  yes    yes    yes   yes  yes  yes  yes    yes  403
GET    /access-control/folders/:uid                   401  403    403    yes   yes  403  yes  403    403  403
POST   /access-control/folders/:uid                   401  403    403    yes   yes  403  yes  403    403  403
POST   /access-control/folders/:uid/users/:userId     401  403    403    yes   yes  403  yes  403    403  403
POST   /access-control/folders/:uid/teams/:teamId     401  403    403    yes   yes  403  yes  403    403  403
POST   /access-control/folders/:uid/builtInRoles/:role 401 403    403    yes   yes  403  yes  403    403  403
`,
  objects: {
    folder: addFolder,
  },
  params: {
    ':uid': (targets) => nameOf(targets('folder')),
    ':id': (targets) => idOf(targets('folder')),
  },
  requests: {
    'GET /folders': async ({ shared }) => ({ shows: await nameOf(shared('folder')) }),
    'POST /folders': async () => ({ body: { title: 'New' } }),
    'PUT /folders/:uid': async () => ({ body: { title: 'Renamed', overwrite: true } }),
    'POST /folders/:uid/move': async () => ({ body: { parentUid: '' } }),
    'POST /folders/:uid/permissions': async () => ({ body: { items: USUAL_PERMISSIONS } }),
    ...accessRequests('/access-control/folders/:uid', 'View'),
  },
};
