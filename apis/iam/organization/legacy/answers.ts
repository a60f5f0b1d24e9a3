import { z } from 'zod';
import { accessControl, answer, doneWith, listOf, pageWith } from '../../../../registry/legacy/answers.js';

export const ORGANIZATION = answer('Organization', 'An organization.', () => ({
  id: z.int(),
  name: z.string(),
  address: z.object({
    address1: z.string(),
    address2: z.string(),
    city: z.string(),
    zipCode: z.string(),
    state: z.string(),
    country: z.string(),
  }),
  accessControl: accessControl(),
}));
export const ORGANIZATIONS = listOf(
  answer('FoundOrganization', 'An organization in a list.', () => ({ id: z.int(), name: z.string() })),
);
export const ORGANIZATION_CREATED = doneWith(() => ({ orgId: z.int() }));

const MEMBER = answer('OrganizationMember', 'A member of an organization.', () => ({
  orgId: z.int(),
  userId: z.int(),
  uid: z.string(),
  name: z.string(),
  login: z.string(),
  email: z.string(),
  avatarUrl: z.string(),
  isDisabled: z.boolean(),
  lastSeenAt: z.string().describe('Ten years before `created` if the user never called.'),
  lastSeenAtAge: z.string(),
  authLabels: z.array(z.string()),
  isProvisioned: z.boolean(),
  created: z.string(),
  role: z.string(),
  accessControl: accessControl(),
}));
export const MEMBERS = listOf(MEMBER);
export const MEMBER_PAGE = pageWith('orgUsers', MEMBER);
export const MEMBER_ADDED = doneWith(() => ({ userId: z.int() }));

export const ACCOUNT_COUNT = answer('AccountCount', 'How many accounts an organization has created.', () => ({
  created: z.int(),
  max: z.int().describe('The setting security.max_organization_accounts.'),
}));
export const ACCOUNT_CREATED = doneWith(() => ({
  userId: z.int(),
  uid: z.string(),
  password: z.string().describe('The first password, which is shown only now.'),
}));

/** Callers who may not read members get the first five members only. */
export const MEMBERS_TO_CHOOSE = listOf(
  answer('MemberToChoose', 'A member to whom a permission can be given.', () => ({
    ...MEMBER().partial().shape,
    uid: z.string(),
    userId: z.int(),
    login: z.string(),
    name: z.string(),
    avatarUrl: z.string(),
  })),
);
