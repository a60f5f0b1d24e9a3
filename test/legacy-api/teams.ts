import type { Server } from '../harness/server.js';
import { fresh, type Json, legacyOf } from './legacy.js';

export const TEAM_NOT_FOUND = { message: 'Team not found' };

export interface Team {
  readonly id: number;
  readonly uid: string;
  readonly name: string;
}

export interface Teams {
  /** Creates a team through the legacy API. */
  make(more?: Json): Promise<Team>;
  /** What GET /api/teams/:teamId/members answers. */
  members(id: number): Promise<Json>;
  /** The login and the permission of each member. */
  roster(id: number): Promise<readonly [login: string, permission: number][]>;
}

export function teamsOf(server: () => Server): Teams {
  const { ask } = legacyOf(server);
  const members: Teams['members'] = (id) => ask(200, 'GET', `/teams/${id}/members`);
  return {
    make: async (more = {}) => {
      const name = fresh('team');
      const { teamId, uid } = await ask(200, 'POST', '/teams', { name, ...more });
      return { id: teamId, uid, name };
    },
    members,
    roster: async (id) => (await members(id)).map(({ login, permission }: Json) => [login, permission]),
  };
}
