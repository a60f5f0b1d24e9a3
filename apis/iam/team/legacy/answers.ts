import { z } from 'zod';
import { accessControl, answer, doneWith, listOf, pageWith } from '../../../../registry/legacy/answers.js';

/** What the numbers of permissions in teams mean. */
export const PERMISSION = '0 is Member, and 4 is Admin.';

const shape = () => ({
  id: z.int(),
  uid: z.string(),
  orgId: z.int(),
  name: z.string(),
  email: z.string(),
  externalUID: z.string(),
  isProvisioned: z.boolean(),
  avatarUrl: z.string(),
  memberCount: z.int(),
  permission: z.int().describe(`The permission of the caller in the team. ${PERMISSION}`),
  accessControl: accessControl(),
});

const TEAM = answer('Team', 'A team.', shape);
export const TEAMS = listOf(TEAM);
export const TEAM_PAGE = pageWith('teams', TEAM);
export const TEAMS_TO_CHOOSE = listOf(
  answer('TeamToChoose', 'A team to which a permission can be given.', () => ({
    id: z.int(),
    uid: z.string(),
    name: z.string(),
  })),
);
export const SINGLE_TEAM = answer('SingleTeam', 'A team with its times.', () => ({
  ...shape(),
  created: z.string(),
  updated: z.string(),
}));
export const TEAM_CREATED = doneWith(() => ({ teamId: z.int(), uid: z.string() }));

export const TEAM_MEMBERS = listOf(
  answer('TeamMember', 'A member of a team.', () => ({
    orgId: z.int(),
    teamId: z.int(),
    teamUID: z.string(),
    userId: z.int(),
    userUID: z.string(),
    auth_module: z.string(),
    email: z.string(),
    name: z.string(),
    login: z.string(),
    avatarUrl: z.string(),
    labels: z.array(z.string()),
    permission: z.int().describe(PERMISSION),
  })),
);

export const TEAM_GROUPS = listOf(
  answer('TeamGroup', 'A group of a sign-on provider whose members join a team.', () => ({
    orgId: z.int(),
    teamId: z.int(),
    uid: z.string(),
    groupId: z.string(),
  })),
);
