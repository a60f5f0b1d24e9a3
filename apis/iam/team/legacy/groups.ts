import { z } from 'zod';
import type { LegacyCall } from '../../../../registry/legacy/call.js';
import { badRequestData, type ErrorRule, plainFailure, requireAction } from '../../../../registry/legacy/errors.js';
import { done, ok } from '../../../../registry/legacy/respond.js';
import { type LegacyHandler, type LegacyRoute, routes } from '../../../../registry/legacy/router.js';
import type { TeamSpec } from '../schema.js';
import { TEAM_GROUPS } from './answers.js';
import type { Team } from './dto.js';
import { TEAM_ANSWERED } from './dto.js';
import { teamOfPath } from './lookup.js';
import { TEAM_NOTES } from './notes.js';

const Body = z.object({ groupId: z.string() });

const ERRORS: readonly ErrorRule[] = [{ code: 404, status: 404, body: { message: 'Team not found' } }];

/** `/api/teams/:teamId/groups`: a person who is in one of these groups at a provider becomes a member at sign-in. */
export function groupRoutes(): readonly LegacyRoute[] {
  const list: LegacyHandler = (call) => {
    const team = permitted(call, 'read');
    const { id: orgId } = call.organization;
    const ids = { orgId, teamId: call.objects('iam/Team').idOf(team), uid: team.metadata.name };
    return ok((team.spec.groups ?? []).map((groupId) => ({ ...ids, groupId })));
  };
  const add: LegacyHandler = async (call) => {
    const team = permitted(call, 'write');
    const group = call.body(Body).groupId.trim();
    if (group === '') throw badRequestData(undefined, 'groupId: must not be empty');
    await change(call, team, (groups) => {
      if (groups.includes(group)) throw plainFailure(400, 'Group is already added to this team');
      return [...groups, group];
    });
    return done('Group added to Team');
  };
  const remove: LegacyHandler = async (call) => {
    const team = permitted(call, 'write');
    const group = call.query.get('groupId') ?? '';
    await change(call, team, (groups) => {
      if (!groups.includes(group)) throw plainFailure(404, 'Group not found');
      return groups.filter((item) => item !== group);
    });
    return done('Team Group removed');
  };
  return routes(
    {
      notes: TEAM_NOTES,
      errors: ERRORS,
      fallback: 'Failed to update the groups of the team',
      answerMembers: TEAM_ANSWERED,
    },
    {
      'GET /teams/:teamId/groups': {
        answer: TEAM_GROUPS,
        summary: 'Lists the groups whose members join a team',
        handle: list,
      },
      'POST /teams/:teamId/groups': { summary: 'Adds a group to a team', body: Body, handle: add },
      'DELETE /teams/:teamId/groups': { summary: 'Removes a group of a team', query: ['groupId'], handle: remove },
    },
  );
}

function permitted(call: LegacyCall, action: 'read' | 'write'): Team {
  const team = teamOfPath(call, 'get');
  requireAction(call.objects('iam/Team'), `teams.permissions:${action}`, team);
  return team;
}

async function change(
  call: LegacyCall,
  { metadata }: Team,
  next: (groups: readonly string[]) => string[],
): Promise<void> {
  await call.objects<TeamSpec>('iam/Team').update(metadata.name, (old) => {
    const { groups: had = [], ...spec } = old.spec as TeamSpec;
    const groups = next(had);
    return { ...old, spec: { ...spec, ...(groups.length > 0 && { groups }) } };
  });
}
