import { addTeam, IAM, type Made, nameOf } from '../../../testing/cast.js';
import {
  idOf,
  internalId,
  type LegacyContext,
  type LegacyExamples,
  type LegacyTry,
} from '../../../testing/legacy-examples.js';

const mailOf = async (target: Promise<Made>): Promise<string> => `${await nameOf(target)}@example.com`;

/** A member of the team, other than the caller. */
async function membership({ cast: { made }, own, shared }: LegacyContext): Promise<LegacyTry> {
  const [team, user] = [await shared('team'), await own('user')];
  const [teamName, userName] = [team.metadata.name, user.metadata.name];
  const spec = { teamRef: { name: teamName }, userRef: { name: userName }, permission: 'member' };
  await made(IAM, 'TeamBinding', `${teamName}.${userName}`, spec);
  return { path: `/teams/${internalId(team)}/members/${internalId(user)}` };
}

// Promise: specification 4.6
export const legacy: LegacyExamples = {
  rows: `
#                                                     anon viewer editor admin root botV botA member lead outsider
# Teams: members view their own, Admins of a team manage it, administrators of the organization manage all
GET    /teams/search                                  401  none   none   yes   yes  none yes  yes    yes  none
GET    /teams/lookup                                  401  none   yes    yes   yes  none yes  yes    yes  none
POST   /teams                                         401  403    403    yes   yes  403  yes  403    403  403
GET    /teams/:teamId                                 401  403    403    yes   yes  403  yes  yes    yes  403
PUT    /teams/:teamId                                 401  403    403    yes   yes  403  yes  403    yes  403
DELETE /teams/:teamId                                 401  403    403    yes   yes  403  yes  403    yes  403
GET    /teams/:teamId/groups                          401  403    403    yes   yes  403  yes  yes    yes  403
POST   /teams/:teamId/groups                          401  403    403    yes   yes  403  yes  403    yes  403
DELETE /teams/:teamId/groups                          401  403    403    yes   yes  403  yes  403    yes  403
GET    /teams/:teamId/members                         401  403    403    yes   yes  403  yes  yes    yes  403
POST   /teams/:teamId/members                         401  403    403    yes   yes  403  yes  403    yes  403
PUT    /teams/:teamId/members                         401  403    403    yes   yes  403  yes  403    yes  403
PUT    /teams/:teamId/members/:userId                 401  403    403    yes   yes  403  yes  403    yes  403
DELETE /teams/:teamId/members/:userId                 401  403    403    yes   yes  403  yes  403    yes  403
GET    /access-control/teams/description              401  yes    yes    yes   yes  yes  yes  yes    yes  yes
GET    /access-control/teams/:teamId                  401  403    403    yes   yes  403  yes  yes    yes  403
POST   /access-control/teams/:teamId                  401  403    403    yes   yes  403  yes  403    yes  403
POST   /access-control/teams/:teamId/users/:userId    401  403    403    yes   yes  403  yes  403    yes  403
`,
  objects: {
    team: addTeam,
  },
  requests: {
    'GET /teams/search': async ({ shared }) => ({ shows: await nameOf(shared('team')) }),
    'GET /teams/lookup': async ({ shared }) => ({ shows: await nameOf(shared('team')) }),
    'POST /teams': async ({ cast }) => ({ body: { name: cast.fresh('New team') } }),
    'PUT /teams/:teamId': async ({ cast }) => ({ body: { name: cast.fresh('Renamed team') } }),
    'GET /teams/:teamId/members': async () => ({ shows: 'lead@example.com' }),
    'POST /teams/:teamId/groups': async ({ cast }) => ({ body: { groupId: cast.fresh('group') } }),
    'DELETE /teams/:teamId/groups': async ({ cast, shared }) => {
      const [path, groupId] = [`/teams/${await idOf(shared('team'))}/groups`, cast.fresh('group')];
      await cast.server.call('POST', `/api${path}`, { body: { groupId } });
      return { path: `${path}?groupId=${groupId}` };
    },
    'POST /teams/:teamId/members': async ({ own }) => ({ body: { userId: await idOf(own('user')) } }),
    'PUT /teams/:teamId/members': async ({ own, shared }) => ({
      path: `/teams/${await idOf(own('team'))}/members`,
      body: { members: [await mailOf(shared('user'))], admins: [] },
    }),
    'PUT /teams/:teamId/members/:userId': async (context) => ({
      ...(await membership(context)),
      body: { permission: 4 },
    }),
    'DELETE /teams/:teamId/members/:userId': (context) => membership(context),
    'POST /access-control/teams/:teamId': async ({ own }) => ({
      body: { permissions: [{ userId: await idOf(own('user')), permission: 'Member' }] },
    }),
    'POST /access-control/teams/:teamId/users/:userId': async () => ({ body: { permission: 'Member' } }),
  },
};
