import { IAM, nameOf } from '../../../testing/cast.js';
import type { LegacyExamples } from '../../../testing/legacy-examples.js';

/** An address at which nothing listens. */
const NOWHERE = 'http://127.0.0.1:1/';

// Promise: specification 4.10
export const legacy: LegacyExamples = {
  rows: `
#                                                     anon viewer editor admin root botV botA member lead outsider
# Sign-on settings: for administrators of the server, and by grants
GET    /v1/sso-settings                               401  403    403    403   yes  403  403  403    403  403
GET    /v1/sso-settings/:provider                     401  403    403    403   yes  403  403  403    403  403
PUT    /v1/sso-settings/:provider                     401  403    403    403   yes  403  403  403    403  403
DELETE /v1/sso-settings/:provider                     401  403    403    403   yes  403  403  403    403  403
POST   /v1/sso-settings/:provider/test                401  403    403    403   yes  403  403  403    403  403
# Directories: for administrators of the server. Here is none, so they are told so
GET    /admin/ldap/status                             401  403    403    403   400  403  403  403    403  403
GET    /admin/ldap/:username                          401  403    403    403   400  403  403  403    403  403
POST   /admin/ldap/reload                             401  403    403    403   400  403  403  403    403  403
POST   /admin/ldap/sync/:id                           401  403    403    403   400  403  403  403    403  403
`,
  objects: {
    provider: ({ made, fresh }) => made(IAM, 'SSOSetting', fresh('gitlab'), { settings: { clientId: 'client' } }),
  },
  params: {
    ':id': async () => 1,
    ':username': async () => 'ann',
    ':provider': (targets) => nameOf(targets('provider')),
  },
  requests: {
    'PUT /v1/sso-settings/:provider': async () => ({ body: { settings: { clientId: 'client' } } }),
    'POST /v1/sso-settings/:provider/test': async ({ cast: { made, fresh } }) => {
      const settings = { clientId: 'client', authUrl: NOWHERE, tokenUrl: NOWHERE, apiUrl: NOWHERE };
      const provider = await made(IAM, 'SSOSetting', fresh('okta'), { settings });
      return { path: `/v1/sso-settings/${provider.metadata.name}/test` };
    },
  },
};
