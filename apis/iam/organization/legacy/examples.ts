import { IAM, nameOf } from '../../../testing/cast.js';
import { idOf, type LegacyExample, type LegacyExamples } from '../../../testing/legacy-examples.js';

/** The title of the organization of the callers. */
const ORGANIZATION = 'Main Org.';

function members(prefix: string): Readonly<Record<string, LegacyExample>> {
  const shows: LegacyExample = async ({ shared }) => ({ shows: `${await nameOf(shared('user'))}@example.com` });
  return {
    [`GET ${prefix}/users`]: shows,
    // The lead administers a team, and gets no addresses.
    [`GET ${prefix}/users/lookup`]: async (context) => {
      await context.shared('team');
      return shows(context);
    },
    [`GET ${prefix}/users/search`]: shows,
    [`POST ${prefix}/users`]: async ({ cast: { made, fresh } }) => {
      const name = fresh('joining');
      await made(IAM, 'User', name, { login: name, email: `${name}@example.com` });
      return { body: { loginOrEmail: `${name}@example.com`, role: 'Viewer' } };
    },
    [`PATCH ${prefix}/users/:userId`]: async () => ({ body: { role: 'Viewer' } }),
  };
}

// Promise: specification 5
export const legacy: LegacyExamples = {
  rows: `
#                                                     anon viewer editor admin root botV botA member lead outsider
# The organization: its members view it, its administrators change it
GET    /org                                           401  yes    yes    yes   yes  yes  yes  yes    yes  403
PUT    /org                                           401  403    403    yes   yes  403  yes  403    403  403
PUT    /org/address                                   401  403    403    yes   yes  403  yes  403    403  403
GET    /org/users                                     401  403    403    yes   yes  403  yes  403    403  403
GET    /org/users/lookup                              401  403    none   yes   yes  403  yes  403    none 403
GET    /org/users/search                              401  403    403    yes   yes  403  yes  403    403  403
POST   /org/users                                     401  403    403    yes   yes  403  yes  403    403  403
PATCH  /org/users/:userId                             401  403    403    yes   yes  403  yes  403    403  403
DELETE /org/users/:userId                             401  403    403    yes   yes  403  yes  403    403  403
# New accounts: for administrators of the organization
GET    /org/accounts                                  401  403    403    yes   yes  403  yes  403    403  403
POST   /org/accounts                                  401  403    403    yes   yes  403  yes  403    403  403
# Organizations by id or name: the same permissions; administrators of the server create and delete them
GET    /orgs                                          401  yes    yes    yes   yes  yes  yes  yes    yes  none
POST   /orgs                                          401  403    403    403   yes  403  403  403    403  403
GET    /orgs/:orgId                                   401  yes    yes    yes   yes  yes  yes  yes    yes  403
GET    /orgs/name/:name                               401  yes    yes    yes   yes  yes  yes  yes    yes  403
PUT    /orgs/:orgId                                   401  403    403    yes   yes  403  yes  403    403  403
PUT    /orgs/:orgId/address                           401  403    403    yes   yes  403  yes  403    403  403
DELETE /orgs/:orgId                                   401  403    403    403   yes  403  403  403    403  403
GET    /orgs/:orgId/users                             401  403    403    yes   yes  403  yes  403    403  403
GET    /orgs/:orgId/users/lookup                      401  403    none   yes   yes  403  yes  403    none 403
GET    /orgs/:orgId/users/search                      401  403    403    yes   yes  403  yes  403    403  403
POST   /orgs/:orgId/users                             401  403    403    yes   yes  403  yes  403    403  403
PATCH  /orgs/:orgId/users/:userId                     401  403    403    yes   yes  403  yes  403    403  403
DELETE /orgs/:orgId/users/:userId                     401  403    403    yes   yes  403  yes  403    403  403
`,
  objects: {
    organization: ({ made, fresh }) => made(IAM, 'Organization', fresh('org'), { title: fresh('Organization') }),
  },
  params: {
    ':name': async () => encodeURIComponent(ORGANIZATION),
  },
  requests: {
    'PUT /org': async () => ({ body: { name: ORGANIZATION } }),
    'PUT /org/address': async () => ({ body: { city: 'Berlin' } }),
    'GET /orgs': async () => ({ shows: ORGANIZATION }),
    'POST /orgs': async ({ cast }) => ({ body: { name: cast.fresh('Organization') } }),
    'PUT /orgs/:orgId': async () => ({ body: { name: ORGANIZATION } }),
    'PUT /orgs/:orgId/address': async () => ({ body: { city: 'Berlin' } }),
    'DELETE /orgs/:orgId': async ({ own }) => ({ path: `/orgs/${await idOf(own('organization'))}` }),
    'POST /org/accounts': async ({ cast }) => ({ body: { login: cast.fresh('account'), role: 'Viewer' } }),
    ...members('/org'),
    ...members('/orgs/:orgId'),
  },
};
