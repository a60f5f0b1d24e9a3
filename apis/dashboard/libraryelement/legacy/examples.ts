import { nameOf } from '../../../testing/cast.js';
import type { LegacyExamples } from '../../../testing/legacy-examples.js';

// Promise: specification 4.7
export const legacy: LegacyExamples = {
  rows: `
#                                                     anon viewer editor admin root botV botA member lead outsider
# Library elements: by role; those that a caller may not view are not found
GET    /library-elements                              401  yes    yes    yes   yes  yes  yes  yes    yes  none
GET    /library-elements/:uid                         401  yes    yes    yes   yes  yes  yes  yes    yes  404
GET    /library-elements/name/:name                   401  yes    yes    yes   yes  yes  yes  yes    yes  404
GET    /library-elements/:uid/connections             401  yes    yes    yes   yes  yes  yes  yes    yes  404
POST   /library-elements                              401  403    yes    yes   yes  403  yes  403    403  403
PATCH  /library-elements/:uid                         401  403    yes    yes   yes  403  yes  403    403  403
DELETE /library-elements/:uid                         401  403    yes    yes   yes  403  yes  403    403  403
`,
  objects: {
    // Its uid is also its name.
    element: ({ made, fresh }) => {
      const name = fresh('element');
      return made('dashboard.svc.app/v1beta1', 'LibraryElement', name, { name, kind: 1, model: {} });
    },
  },
  params: {
    ':uid': (targets) => nameOf(targets('element')),
    ':name': (targets) => nameOf(targets('element')),
  },
  requests: {
    'GET /library-elements': async ({ shared }) => ({ shows: await nameOf(shared('element')) }),
    'POST /library-elements': async ({ cast }) => ({ body: { name: cast.fresh('Element'), kind: 1, model: {} } }),
    'PATCH /library-elements/:uid': async () => ({ body: { kind: 1, version: 1 } }),
  },
};
