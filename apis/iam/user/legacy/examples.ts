import { isPerson, PASSWORD, personNamed } from '../../../testing/callers.js';
import { addUser, nameOf } from '../../../testing/cast.js';
import { idOf, internalId, type LegacyCast, type LegacyExamples } from '../../../testing/legacy-examples.js';

function profile(name: string) {
  return { login: name, email: `${name}@example.com`, name };
}

async function session({ accounts: { sessions } }: LegacyCast, user: string) {
  const { session: opened, secret } = await sessions.open(personNamed(user), { clientIp: '127.0.0.1', userAgent: '' });
  return { id: internalId(opened), secret };
}

// Promise: specification 4.3, specification 5
export const legacy: LegacyExamples = {
  rows: `
#                                                     anon viewer editor admin root botV botA member lead outsider
# Users: for administrators of the server, who are never service accounts
GET    /users                                         401  403    403    403   yes  403  403  403    403  403
GET    /users/search                                  401  403    403    403   yes  403  403  403    403  403
GET    /users/lookup                                  401  403    403    403   yes  403  403  403    403  403
GET    /users/:id                                     401  403    403    403   yes  403  403  403    403  403
GET    /users/:id/orgs                                401  403    403    403   yes  403  403  403    403  403
GET    /users/:id/teams                               401  403    403    403   yes  403  403  403    403  403
PUT    /users/:id                                     401  403    403    403   yes  403  403  403    403  403
POST   /users/:id/using/:orgId                        401  403    403    403   yes  403  403  403    403  403
POST   /admin/users                                   401  403    403    403   yes  403  403  403    403  403
PUT    /admin/users/:id/password                      401  403    403    403   yes  403  403  403    403  403
PUT    /admin/users/:id/permissions                   401  403    403    403   yes  403  403  403    403  403
DELETE /admin/users/:id                               401  403    403    403   yes  403  403  403    403  403
POST   /admin/users/:id/disable                       401  403    403    403   yes  403  403  403    403  403
POST   /admin/users/:id/enable                        401  403    403    403   yes  403  403  403    403  403
POST   /admin/users/:id/logout                        401  403    403    403   yes  403  403  403    403  403
GET    /admin/users/:id/auth-tokens                   401  403    403    403   yes  403  403  403    403  403
POST   /admin/users/:id/revoke-auth-token             401  403    403    403   yes  403  403  403    403  403
# The signed-in user: for all persons
GET    /user                                          401  yes    yes    yes   yes  yes  yes  yes    yes  yes
PUT    /user                                          401  yes    yes    yes   yes  403  403  yes    yes  yes
PUT    /user/password                                 401  yes    yes    yes   yes  403  403  yes    yes  yes
GET    /user/orgs                                     401  yes    yes    yes   yes  403  403  yes    yes  yes
GET    /user/teams                                    401  yes    yes    yes   yes  403  403  yes    yes  yes
# … changes to the organization of the callers: 401 for others
POST   /user/using/:orgId                             401  yes    yes    yes   yes  403  403  yes    yes  401
GET    /user/auth-tokens                              401  yes    yes    yes   yes  403  403  yes    yes  yes
POST   /user/revoke-auth-token                        401  yes    yes    yes   yes  403  403  yes    yes  yes
POST   /user/auth-tokens/rotate                       401  yes    yes    yes   yes  403  403  yes    yes  yes
`,
  objects: {
    // A viewer of the organization.
    user: addUser,
  },
  params: {
    ':id': (targets) => idOf(targets('user')),
  },
  requests: {
    'GET /users/lookup': async ({ shared }) => ({ path: `/users/lookup?loginOrEmail=${await nameOf(shared('user'))}` }),
    'PUT /users/:id': async ({ shared }) => ({ body: profile(await nameOf(shared('user'))) }),
    'POST /admin/users': async ({ cast }) => ({ body: { ...profile(cast.fresh('created')), password: PASSWORD } }),
    'PUT /admin/users/:id/password': async () => ({ body: { password: PASSWORD } }),
    'PUT /admin/users/:id/permissions': async () => ({ body: { isGrafanaAdmin: false } }),
    'POST /admin/users/:id/revoke-auth-token': async ({ cast, shared }) => ({
      body: { authTokenId: (await session(cast, await nameOf(shared('user')))).id },
    }),
    'PUT /user': async ({ caller }) => ({ body: profile(caller) }),
    'PUT /user/password': async () => ({ body: { oldPassword: PASSWORD, newPassword: PASSWORD } }),
    'POST /user/revoke-auth-token': async ({ cast, caller }) => ({
      body: { authTokenId: isPerson(caller) ? (await session(cast, caller)).id : 1 },
    }),
    'POST /user/auth-tokens/rotate': async ({ cast, caller }) => ({
      headers: { cookie: `grafana_session=${isPerson(caller) ? (await session(cast, caller)).secret : 'none'}` },
    }),
  },
};
