import { z } from 'zod';
import { shownName } from '../../../registry/kinds/fields.js';
import { OrganizationRole } from '../organization-role.js';

export const ServiceAccountSpec = z
  .strictObject({
    title: shownName(190).min(1, 'must not be empty').describe('Name shown to people.'),
    role: OrganizationRole.default('None').describe('What it may do in the organization.'),
    disabled: z.boolean().default(false).describe('The tokens of a disabled one are refused.'),
  })
  .meta({ id: 'ServiceAccountSpec', description: 'What a service account is.' });
export type ServiceAccountSpec = z.infer<typeof ServiceAccountSpec>;

/** Service accounts by namespace and folded title. */
export const BY_TITLE = 'byTitle';
