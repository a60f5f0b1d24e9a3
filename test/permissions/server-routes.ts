import { nameOf } from '../../apis/testing/cast.js';
import type { LegacyExamples } from '../../apis/testing/legacy-examples.js';

/** The permissions of the routes of the server itself. */
export const serverRoutes: LegacyExamples = {
  rows: `
#                                                     anon viewer editor admin root botV botA member lead outsider
# Routes without a kind, and routes of kinds that this server does not have
GET    /health                                        yes  yes    yes    yes   yes  yes  yes  yes    yes  yes
GET    /frontend/settings                             401  yes    yes    yes   yes  yes  yes  yes    yes  yes
GET    /search                                        401  yes    yes    yes   yes  yes  yes  yes    yes  none
GET    /admin/stats                                   401  403    403    403   yes  403  403  403    403  403
GET    /admin/audit                                   401  403    403    403   404  403  403  403    403  403
GET    /admin/settings                                401  403    403    403   yes  403  403  403    403  403
GET    /datasources                                   401  yes    yes    yes   yes  yes  yes  yes    yes  yes
GET    /datasources/uid/:uid                          401  404    404    404   404  404  404  404    404  404
GET    /datasources/name/:name                        401  404    404    404   404  404  404  404    404  404
GET    /dashboard/snapshots                           401  yes    yes    yes   yes  yes  yes  yes    yes  yes
GET    /auth/keys                                     401  yes    yes    yes   yes  yes  yes  yes    yes  yes
GET    /alert-notifications                           401  yes    yes    yes   yes  yes  yes  yes    yes  yes
GET    /v1/provisioning/contact-points                401  yes    yes    yes   yes  yes  yes  yes    yes  yes
`,
  params: {
    ':uid': async () => 'none',
    ':name': async () => 'none',
  },
  requests: {
    'GET /search': async ({ shared }) => ({ shows: await nameOf(shared('folder')) }),
  },
};
