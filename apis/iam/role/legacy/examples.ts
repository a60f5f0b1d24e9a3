import { IAM, nameOf } from '../../../testing/cast.js';
import type { LegacyExamples } from '../../../testing/legacy-examples.js';

export const legacy: LegacyExamples = {
  rows: `
#                                                     anon viewer editor admin root botV botA member lead outsider
# Roles, and who has them: for administrators of the organization. What the roles of the server allow: for everybody
GET    /access-control/status                         401  yes    yes    yes   yes  yes  yes  yes    yes  yes
GET    /access-control/built-in-roles                 401  yes    yes    yes   yes  yes  yes  yes    yes  yes
GET    /access-control/roles                          401  403    403    yes   yes  403  yes  403    403  403
POST   /access-control/roles                          401  403    403    yes   yes  403  yes  403    403  403
GET    /access-control/roles/:uid                     401  403    403    yes   yes  403  yes  403    403  403
PUT    /access-control/roles/:uid                     401  403    403    yes   yes  403  yes  403    403  403
DELETE /access-control/roles/:uid                     401  403    403    yes   yes  403  yes  403    403  403
GET    /access-control/roles/:uid/assignments         401  403    403    yes   yes  403  yes  403    403  403
PUT    /access-control/roles/:uid/assignments         401  403    403    yes   yes  403  yes  403    403  403
GET    /access-control/users/:userId/roles            401  403    403    yes   yes  403  yes  403    403  403
POST   /access-control/users/:userId/roles            401  403    403    yes   yes  403  yes  403    403  403
PUT    /access-control/users/:userId/roles            401  403    403    yes   yes  403  yes  403    403  403
DELETE /access-control/users/:userId/roles/:uid       401  403    403    yes   yes  403  yes  403    403  403
GET    /access-control/teams/:teamId/roles            401  403    403    yes   yes  403  yes  403    403  403
POST   /access-control/teams/:teamId/roles            401  403    403    yes   yes  403  yes  403    403  403
PUT    /access-control/teams/:teamId/roles            401  403    403    yes   yes  403  yes  403    403  403
DELETE /access-control/teams/:teamId/roles/:uid       401  403    403    yes   yes  403  yes  403    403  403
`,
  objects: {
    role: ({ made, fresh }) => made(IAM, 'Role', fresh('role'), { permissions: [] }),
  },
  params: {
    ':uid': (targets) => nameOf(targets('role')),
  },
  requests: {
    'POST /access-control/roles': async ({ cast }) => ({ body: { name: cast.fresh('custom:role') } }),
    'PUT /access-control/roles/:uid': async ({ own }) => ({
      path: `/access-control/roles/${await nameOf(own('role'))}`,
      body: { version: 1 },
    }),
    'PUT /access-control/roles/:uid/assignments': async () => ({ body: { users: [] } }),
    'POST /access-control/users/:userId/roles': async ({ shared }) => ({
      body: { roleUid: await nameOf(shared('role')) },
    }),
    'PUT /access-control/users/:userId/roles': async ({ shared }) => ({
      body: { roleUids: [await nameOf(shared('role'))] },
    }),
    'POST /access-control/teams/:teamId/roles': async ({ shared }) => ({
      body: { roleUid: await nameOf(shared('role')) },
    }),
    'PUT /access-control/teams/:teamId/roles': async ({ shared }) => ({
      body: { roleUids: [await nameOf(shared('role'))] },
    }),
  },
};
