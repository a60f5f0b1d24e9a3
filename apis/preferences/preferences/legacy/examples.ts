import type { LegacyExamples } from '../../../testing/legacy-examples.js';

// Promise: specification 4.8
export const legacy: LegacyExamples = {
  rows: `
#                                                     anon viewer editor admin root botV botA member lead outsider
# Preferences, in the organization of the callers: 403 for others
GET    /user/preferences                              401  yes    yes    yes   yes  403  403  yes    yes  yes
PUT    /user/preferences                              401  yes    yes    yes   yes  403  403  yes    yes  403
PATCH  /user/preferences                              401  yes    yes    yes   yes  403  403  yes    yes  403
GET    /teams/:teamId/preferences                     401  403    403    yes   yes  403  yes  yes    yes  403
PUT    /teams/:teamId/preferences                     401  403    403    yes   yes  403  yes  403    yes  403
PATCH  /teams/:teamId/preferences                     401  403    403    yes   yes  403  yes  403    yes  403
GET    /org/preferences                               401  403    403    yes   yes  403  yes  403    403  403
PUT    /org/preferences                               401  403    403    yes   yes  403  yes  403    403  403
PATCH  /org/preferences                               401  403    403    yes   yes  403  yes  403    403  403
`,
  requests: {
    'PUT /user/preferences': async () => ({ body: { theme: 'dark' } }),
    'PATCH /user/preferences': async () => ({ body: { theme: 'light' } }),
    'PUT /teams/:teamId/preferences': async () => ({ body: { theme: 'dark' } }),
    'PATCH /teams/:teamId/preferences': async () => ({ body: { theme: 'light' } }),
    'PUT /org/preferences': async () => ({ body: { theme: 'dark' } }),
    'PATCH /org/preferences': async () => ({ body: { theme: 'light' } }),
  },
};
