import { z } from 'zod';
import { answer, listOf } from '../../../../registry/legacy/answers.js';

const shape = () => ({
  version: z.int(),
  uid: z.string(),
  name: z.string(),
  displayName: z.string(),
  description: z.string(),
  group: z.string(),
  hidden: z.boolean(),
  global: z.boolean().describe('Whether it is a role of all organizations.'),
  created: z.string(),
  updated: z.string(),
});

export const ROLES = listOf(answer('FoundRole', 'A role in a list.', shape));
export const ROLE = answer('Role', 'A role with what it allows.', () => ({
  ...shape(),
  permissions: z.array(z.object({ action: z.string(), scope: z.string(), created: z.string(), updated: z.string() })),
}));
export const ASSIGNMENTS = answer('Assignments', 'The numbers of those who have a role.', () => ({
  role_uid: z.string(),
  users: z.array(z.int()),
  teams: z.array(z.int()),
  service_accounts: z.array(z.int()),
}));
export const ACCESS_CONTROL_STATUS = answer('AccessControlStatus', 'Whether there are roles. There are.', () => ({
  enabled: z.boolean(),
}));
export const BUILT_IN_ROLES = listOf(
  answer('BuiltInRole', 'What a built-in role allows on one place.', () => ({
    name: z.string(),
    on: z.string(),
    inPrivateFolders: z.boolean(),
    permissions: z.array(z.object({ action: z.string(), scope: z.string().optional() })),
  })),
);
