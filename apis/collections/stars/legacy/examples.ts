import { nameOf } from '../../../testing/cast.js';
import { idOf, type LegacyExamples } from '../../../testing/legacy-examples.js';

export const legacy: LegacyExamples = {
  rows: `
#                                                     anon viewer editor admin root botV botA member lead outsider
# Stars: of dashboards that the caller may view
GET    /user/stars                                    401  yes    yes    yes   yes  403  403  yes    yes  yes
POST   /user/stars/dashboard/uid/:uid                 401  yes    yes    yes   yes  403  403  yes    yes  403
DELETE /user/stars/dashboard/uid/:uid                 401  yes    yes    yes   yes  403  403  yes    yes  yes
POST   /user/stars/dashboard/:id                      401  yes    yes    yes   yes  403  403  yes    yes  403
DELETE /user/stars/dashboard/:id                      401  yes    yes    yes   yes  403  403  yes    yes  404
`,
  params: {
    ':uid': (targets) => nameOf(targets('dashboard')),
    ':id': (targets) => idOf(targets('dashboard')),
  },
};
