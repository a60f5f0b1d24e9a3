import { z } from 'zod';
import { localReference } from '../../../registry/kinds/fields.js';

export const TeamBindingSpec = z
  .strictObject({
    teamRef: localReference('TeamBindingTeamRef', 'team').describe('The team.'),
    userRef: localReference('TeamBindingUserRef', 'user').describe('The member.'),
    permission: z.enum(['admin', 'member']).default('member').describe('An admin manages the team.'),
    external: z.boolean().optional().describe('Kept in step with another system.'),
    provisioned: z.boolean().optional().describe('Made by a provisioning system, whose teams may give roles.'),
  })
  .meta({ id: 'TeamBindingSpec', description: 'Who belongs to a team.' });
export type TeamBindingSpec = z.infer<typeof TeamBindingSpec>;

/** Bindings by team (`[namespace, team]`), by user (`[user]`, across organizations), and by both. */
export const BY_TEAM = 'byTeam';
export const BY_USER = 'byUser';
export const BY_PAIR = 'byPair';

/** The name of the binding of a user to a team. It depends only on the two, so both APIs create the same binding. */
export function teamBindingName(team: string, user: string): string {
  return `${team}.${user}`;
}
