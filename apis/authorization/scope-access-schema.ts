import { z } from 'zod';
import { RoleBindingSpec } from '../iam/rolebinding/schema.js';

const Subject = RoleBindingSpec.shape.subject;
const Named = {
  subject: Subject.describe('Who.'),
  title: z.string().describe('What people call them.'),
  login: z.string().optional().describe('The login of a user.'),
};

export const ScopeAccessSpec = z
  .strictObject({
    scope: z
      .strictObject({ folder: z.string().max(40).optional(), dashboard: z.string().max(40).optional() })
      .meta({ id: 'ScopeAccessReviewScope' })
      .describe('A folder or a dashboard: exactly one of the two.'),
    subject: Subject.optional().describe('Only what this user, service account, team or basic role has, and why.'),
    people: z.boolean().default(false).describe('Also the people behind the subject, which is a team or a role.'),
  })
  .meta({ id: 'ScopeAccessReviewSpec', description: 'What is asked about.' });
export type ScopeAccessSpec = z.infer<typeof ScopeAccessSpec>;

export const ScopeAccessEntry = z
  .strictObject({
    ...Named,
    level: z.string().describe('What this alone gives: View, Edit, Admin, or the names of custom roles.'),
    people: z.int().optional().describe('The number of people behind a team or a basic role who are not disabled.'),
    accounts: z.int().optional().describe('The number of service accounts behind a basic role.'),
    isMost: z.boolean().optional().describe('The number of people is too large: some may be disabled, or accounts.'),
    placeTitle: z.string().optional().describe('The title of the folder or the dashboard that the binding is on.'),
    binding: z
      .strictObject({ name: z.string(), resourceVersion: z.string(), spec: RoleBindingSpec })
      .meta({ id: 'ScopeAccessReviewBinding' })
      .optional()
      .describe('The role binding that gives it. Absent for what a basic role has without one.'),
  })
  .meta({ id: 'ScopeAccessReviewEntry', description: 'One thing that gives access.' });

export const ScopeAccessPerson = z
  .strictObject({
    ...Named,
    level: z.string().describe('What they have by all ways together.'),
    serverAdministrator: z.boolean().optional().describe('They administer the server, and may do everything.'),
  })
  .meta({ id: 'ScopeAccessReviewPerson', description: 'Somebody of a team, or with a basic role.' });

export const ScopeAccessStatus = z
  .strictObject({
    title: z.string().describe('The title of the folder or the dashboard.'),
    level: z.string().optional().describe('What the subject has by all ways together. Empty: no access.'),
    serverAdministrator: z.boolean().optional().describe('The subject administers the server.'),
    refusal: z
      .enum(['disabled', 'private'])
      .optional()
      .describe('Why a subject has no access that could have it: the account is disabled, or the place is private.'),
    entries: z
      .array(ScopeAccessEntry)
      .describe('What gives access, the highest level first, as far as the caller may view it.'),
    people: z.array(ScopeAccessPerson).optional().describe('The people behind the subject.'),
    isPartial: z.boolean().optional().describe('There are more than are listed.'),
  })
  .meta({ id: 'ScopeAccessReviewStatus', description: 'Who has access, and why.' });
export type ScopeAccessStatus = z.infer<typeof ScopeAccessStatus>;
