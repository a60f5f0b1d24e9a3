import { z } from 'zod';
import { ulidGenerator } from '../../../../pkg/kube/meta/ulid.js';
import { isEffective } from '../../../../registry/kinds/ready-condition.js';
import { badRequestData, type ErrorRule, requireAction } from '../../../../registry/legacy/errors.js';
import { deleted, done, ok } from '../../../../registry/legacy/respond.js';
import { type LegacyHandler, type LegacyRouter, legacyRouter, routes } from '../../../../registry/legacy/router.js';
import type { ConfiguredServices } from '../../../environment.js';
import { isUser } from '../../names.js';
import { type TeamBindingSpec, teamBindingName } from '../../teambinding/schema.js';
import type { TeamSpec } from '../schema.js';
import { teamAccessRoutes } from './access.js';
import { SINGLE_TEAM, TEAM_CREATED, TEAM_PAGE, TEAMS_TO_CHOOSE } from './answers.js';
import { teamsToChoose } from './choose.js';
import { singleTeam, TEAM_ANSWERED } from './dto.js';
import { groupRoutes } from './groups.js';
import { teamOfPath } from './lookup.js';
import { memberRoutes } from './members.js';
import { TEAM_NOTES } from './notes.js';
import { contextOf, searchTeams } from './search.js';

const Body = z.object({ name: z.string().nullish(), email: z.string().nullish() });

const newUid = ulidGenerator();

const ERRORS: readonly ErrorRule[] = [
  { field: 'spec.title', cause: 'FieldValueDuplicate', status: 409, body: { message: 'Team name taken' } },
  { code: 404, status: 404, body: { message: 'Team not found' } },
];

/** `/api/teams`. */
export function teamRouter(services: ConfiguredServices): LegacyRouter {
  const { environment } = services;
  const get: LegacyHandler = (call) => {
    const team = teamOfPath(call, 'get');
    return ok(singleTeam(call, team, contextOf(call, team)));
  };
  const update: LegacyHandler = async (call) => {
    const teams = call.objects<TeamSpec>('iam/Team');
    const team = teamOfPath(call, 'update', teams);
    const { metadata } = team;
    const body = call.body(Body);
    const email = (body.email ?? '').trim();
    await teams.update(metadata.name, ({ spec, ...old }) => {
      const { email: _, ...rest } = spec as TeamSpec;
      return { ...old, spec: { ...rest, ...(email && { email }), ...(body.name?.trim() && { title: body.name }) } };
    });
    call.keeps({ id: teams.idOf(team), uid: metadata.name, orgId: call.organization.id });
    return done('Team updated');
  };
  const remove: LegacyHandler = async (call) => {
    const teams = call.objects<TeamSpec>('iam/Team');
    const team = await teams.delete(teamOfPath(call, 'delete', teams).metadata.name);
    return deleted(team, 'Team deleted');
  };
  return legacyRouter(
    services,
    routes(
      { notes: TEAM_NOTES, errors: ERRORS, fallback: 'Failed to search teams' },
      {
        'GET /teams/search': {
          answer: TEAM_PAGE,
          summary: 'Searches teams',
          query: ['query', 'name', 'teamId', 'page', 'perpage', 'sort', 'accesscontrol'],
          lists: ['teamId', 'sort'],
          handle: (call) => ok(searchTeams(call, environment)),
        },
        'GET /teams/lookup': {
          answer: TEAMS_TO_CHOOSE,
          summary: 'Lists the teams of an organization for people who give permissions',
          query: ['query', 'limit'],
          handle: (call) => ok(teamsToChoose(call)),
        },
      },
    ),
    routes(
      { notes: TEAM_NOTES, errors: ERRORS, fallback: 'Failed to update team', answerMembers: TEAM_ANSWERED },
      {
        'POST /teams': { answer: TEAM_CREATED, summary: 'Creates a team', body: Body, handle: createTeam },
        'GET /teams/:teamId': {
          single: true,
          answer: SINGLE_TEAM,
          summary: 'Reads a team',
          query: ['accesscontrol'],
          handle: get,
        },
        'PUT /teams/:teamId': { summary: 'Changes a team', body: Body, handle: update },
        'DELETE /teams/:teamId': { summary: 'Deletes a team', handle: remove },
      },
    ),
    memberRoutes(),
    groupRoutes(),
    teamAccessRoutes(),
  );
}

/** A member of the organization who creates a team becomes an admin of it, in the same commit. */
const createTeam: LegacyHandler = async (call) => {
  const teams = call.objects<TeamSpec>('iam/Team');
  requireAction(teams, 'teams:create');
  const body = call.body(Body);
  const title = (body.name ?? '').trim();
  if (title === '') throw badRequestData(undefined, 'name: must not be empty');
  const name = newUid();
  const email = (body.email ?? '').trim();
  const { uid } = call.user;
  const membership = isUser(call.user, uid) ? call.objects('iam/OrganizationBinding').find(uid) : undefined;
  const isMember = membership !== undefined && isEffective(membership);
  const binding: TeamBindingSpec = { teamRef: { name }, userRef: { name: uid }, permission: 'admin' };
  const team = await call.transact((transaction) => {
    const spec = { title, ...(email && { email }) };
    const created = transaction.objects<TeamSpec>('iam/Team').create({ metadata: { name }, spec });
    if (isMember) {
      const bindings = transaction.trusted().objects('iam/TeamBinding');
      bindings.create({ metadata: { name: teamBindingName(name, uid) }, spec: binding });
    }
    return created;
  });
  return done('Team created', { teamId: teams.idOf(team), uid: name });
};
