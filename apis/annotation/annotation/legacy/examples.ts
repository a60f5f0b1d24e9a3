import { idOf, type LegacyExamples } from '../../../testing/legacy-examples.js';

/** The spec of an annotation. */
const EVENT = { text: 'Event', time: 1_700_000_000_000 };

// Promise: specification 4.5, specification 5
export const legacy: LegacyExamples = {
  rows: `
#                                                     anon viewer editor admin root botV botA member lead outsider
# Annotations of the organization: by role
GET    /annotations                                   401  yes    yes    yes   yes  yes  yes  yes    yes  403
GET    /annotations/tags                              401  yes    yes    yes   yes  yes  yes  yes    yes  403
GET    /annotations/:annotationId                     401  yes    yes    yes   yes  yes  yes  yes    yes  403
POST   /annotations                                   401  403    yes    yes   yes  403  yes  403    403  403
POST   /annotations/evt                               401  403    yes    yes   yes  403  yes  403    403  403
POST   /annotations/graphite                          401  403    yes    yes   yes  403  yes  403    403  403
PUT    /annotations/:annotationId                     401  403    yes    yes   yes  403  yes  403    403  403
PATCH  /annotations/:annotationId                     401  403    yes    yes   yes  403  yes  403    403  403
DELETE /annotations/:annotationId                     401  403    yes    yes   yes  403  yes  403    403  403
POST   /annotations/mass-delete                       401  403    yes    yes   yes  403  yes  403    403  403
`,
  objects: {
    // An annotation of the organization.
    annotation: ({ made, fresh }) => made('annotation.svc.app/v1beta1', 'Annotation', fresh('annotation'), EVENT),
  },
  params: {
    ':annotationId': (targets) => idOf(targets('annotation')),
  },
  requests: {
    'GET /annotations': async ({ shared }) => ({ shows: (await shared('annotation')) && EVENT.text }),
    'POST /annotations': async () => ({ body: EVENT }),
    'POST /annotations/evt': async () => ({ body: { what: EVENT.text, tags: '' } }),
    'POST /annotations/graphite': async () => ({ body: { what: EVENT.text, tags: '' } }),
    'PUT /annotations/:annotationId': async ({ cast }) => ({ body: { text: cast.fresh('Changed') } }),
    'PATCH /annotations/:annotationId': async ({ cast }) => ({ body: { text: cast.fresh('Changed') } }),
    'POST /annotations/mass-delete': async ({ own }) => ({ body: { annotationId: await idOf(own('annotation')) } }),
  },
};
