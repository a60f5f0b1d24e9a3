import { z } from 'zod';
import type { ApiResponse } from '../../../../pkg/http/exchange.js';
import { ulidGenerator } from '../../../../pkg/meta/ulid.js';
import type { LegacyCall } from '../../../../registry/legacy/call.js';
import { badRequestData, type ErrorRule } from '../../../../registry/legacy/errors.js';
import { done, ok } from '../../../../registry/legacy/respond.js';
import { type LegacyHandler, type LegacyRoute, routes } from '../../../../registry/legacy/route.js';
import {
  PREFERENCES_ERRORS,
  patchPreferences,
  readPreferences,
  replacePreferences,
} from '../../../preferences/preferences/legacy/router.js';
import { elevated, type IamServices, plansOf } from '../../legacy/services.js';
import { isUser, TEAM_PREFERENCES, teamBindingName } from '../../names.js';
import type { TeamBindingSpec } from '../../teambinding/schema.js';
import type { TeamSpec } from '../schema.js';
import { teamAccessRoutes } from './access.js';
import { singleTeam } from './dto.js';
import { teamOfPath } from './lookup.js';
import { memberRoutes } from './members.js';
import { contextOf, searchTeams } from './search.js';

const Body = z.object({ name: z.string().nullish(), email: z.string().nullish() });

const newUid = ulidGenerator();

const ERRORS: readonly ErrorRule[] = [
  { field: 'spec.title', cause: 'FieldValueDuplicate', status: 409, body: { message: 'Team name taken' } },
  { code: 404, status: 404, body: { message: 'Team not found' } },
  ...PREFERENCES_ERRORS,
];

/** `/api/teams`. */
export function teamLegacy(services: IamServices): readonly LegacyRoute[] {
  const get: LegacyHandler = (call) => {
    const team = teamOfPath(call, 'get');
    return ok(singleTeam(call, team, contextOf(services, call, team)));
  };
  const update: LegacyHandler = async (call) => {
    const { metadata } = teamOfPath(call, 'update');
    const body = call.body(Body);
    const email = (body.email ?? '').trim();
    await call.objects<TeamSpec>('Team').update(metadata.name, ({ spec, ...old }) => {
      const { email: _, ...rest } = spec as TeamSpec;
      return { ...old, spec: { ...rest, ...(email && { email }), ...(body.name?.trim() && { title: body.name }) } };
    });
    return done('Team updated');
  };
  const remove: LegacyHandler = async (call) => {
    await call.objects('Team').delete(teamOfPath(call, 'delete').metadata.name);
    return done('Team deleted');
  };
  const owner = (verb: 'get' | 'update') => (call: LegacyCall) => ({
    namespace: call.organization.namespace,
    name: `${TEAM_PREFERENCES}${teamOfPath(call, verb).metadata.name}`,
  });
  return [
    ...routes(
      { errors: ERRORS, fallback: 'Failed to search teams' },
      { 'GET /teams/search': (call) => ok(searchTeams(services, call)) },
    ),
    ...routes(
      { errors: ERRORS, fallback: 'Failed to update team' },
      {
        'POST /teams': (call) => createTeam(services, call),
        'GET /teams/:teamId': get,
        'PUT /teams/:teamId': update,
        'DELETE /teams/:teamId': remove,
        'GET /teams/:teamId/preferences': (call) => readPreferences(call, owner('get')(call)),
        'PUT /teams/:teamId/preferences': (call) => replacePreferences(services, call, owner('update')(call)),
        'PATCH /teams/:teamId/preferences': (call) => patchPreferences(services, call, owner('update')(call)),
      },
    ),
    ...memberRoutes(services),
    ...teamAccessRoutes(services),
  ];
}

/** A member of the organization who makes a team is an admin of it, from the same commit on. */
async function createTeam(services: IamServices, call: LegacyCall): Promise<ApiResponse> {
  const teams = call.objects<TeamSpec>('Team');
  teams.require('teams:create');
  const body = call.body(Body);
  const title = (body.name ?? '').trim();
  if (title === '') throw badRequestData();
  const { namespace } = call.organization;
  const name = newUid();
  const email = (body.email ?? '').trim();
  const plans = plansOf(services, call);
  const team = plans.create<TeamSpec>(
    'Team',
    { metadata: { name }, spec: { title, ...(email && { email }) } },
    { namespace },
  );
  const { uid } = call.user;
  const isMember = isUser(call.user, uid) && call.objects('OrganizationBinding').peek(uid) !== undefined;
  const spec: TeamBindingSpec = { teamRef: { name }, userRef: { name: uid }, permission: 'admin' };
  const draft = { metadata: { name: teamBindingName(name, uid) }, spec };
  const admin = isMember ? [plans.create('TeamBinding', draft, { namespace, as: elevated(call.user) })] : [];
  const [created] = await plans.commit([team, ...admin]);
  return done('Team created', { teamId: created === undefined ? 0 : teams.idOf(created), uid: name });
}
