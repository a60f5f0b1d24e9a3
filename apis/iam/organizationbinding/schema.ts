import { z } from 'zod';
import { localReference } from '../../../registry/kinds/fields.js';
import { OrganizationRole } from '../organization-role.js';

export const OrganizationBindingSpec = z
  .strictObject({
    userRef: localReference('OrganizationBindingUserRef', 'user').describe('The member.'),
    role: OrganizationRole.describe('What the member may do in the organization.'),
  })
  .meta({ id: 'OrganizationBindingSpec', description: 'Who belongs to the organization, and as what.' });
export type OrganizationBindingSpec = z.infer<typeof OrganizationBindingSpec>;

/** Memberships by user (`[user]`), across organizations. */
export const BY_USER = 'byUser';
/** Memberships by namespace and role (`[namespace, role]`). */
export const BY_ROLE = 'byRole';
