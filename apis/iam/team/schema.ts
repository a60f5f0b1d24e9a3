import { z } from 'zod';
import { arrayOf } from '../../../pkg/kube/meta/bounded.js';
import { line, shownName } from '../../../registry/kinds/fields.js';

export const TeamSpec = z
  .strictObject({
    title: shownName(190).min(1, 'must not be empty').describe('Name shown to people.'),
    email: line(190).optional().describe('E-mail address of the team.'),
    externalUID: line(190).optional().describe('Its identifier in the system that provisions it.'),
    groups: arrayOf(line(300).min(1, 'must not be empty'), 200)
      .refine((groups) => new Set(groups).size === groups.length, 'must not name a group twice')
      .optional()
      .meta({ 'x-kubernetes-list-type': 'set' })
      .describe('Groups at the providers of sign-in. Who is in one of them becomes a member when they sign in.'),
    provisioned: z.boolean().optional().describe('Kept by a provisioning system.'),
  })
  .meta({ id: 'TeamSpec', description: 'What a team is.' });
export type TeamSpec = z.infer<typeof TeamSpec>;

/** Teams by namespace and folded title. */
export const BY_TITLE = 'byTitle';
/** Teams by group, in all organizations: `[group]`. */
export const BY_GROUP = 'byGroup';
/** Teams by namespace and external identifier: `[namespace, externalUID]`. */
export const BY_EXTERNAL_UID = 'byExternalUID';
