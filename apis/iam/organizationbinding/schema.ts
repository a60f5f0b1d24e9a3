import { z } from 'zod';
import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import { line, localReference } from '../../../registry/kinds/fields.js';
import { OrganizationRole } from '../organization-role.js';

export const OrganizationBindingSpec = z
  .strictObject({
    userRef: localReference('OrganizationBindingUserRef', 'user').describe('The member.'),
    role: OrganizationRole.describe('What the member may do in the organization.'),
    suspended: z.boolean().optional().describe('The member has no rights in the organization until this is removed.'),
    provisioned: z.boolean().optional().describe('Kept by a provisioning system.'),
    externalUID: line(255).optional().describe('The identifier of the member in the system that provisions it.'),
  })
  .meta({ id: 'OrganizationBindingSpec', description: 'Who belongs to the organization, and as what.' });
export type OrganizationBindingSpec = z.infer<typeof OrganizationBindingSpec>;

/** Memberships by user (`[user]`), across organizations. */
export const BY_USER = 'byUser';
/** Memberships by namespace and role (`[namespace, role]`). */
export const BY_ROLE = 'byRole';
/** Memberships by namespace and external identifier (`[namespace, externalUID]`). */
export const BY_EXTERNAL_UID = 'byExternalUID';

export function isSuspended({ spec }: KubeObject): boolean {
  return (spec as OrganizationBindingSpec).suspended === true;
}
