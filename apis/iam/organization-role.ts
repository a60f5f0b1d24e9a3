import { z } from 'zod';
import { ORGANIZATION_ROLES } from '../../pkg/identity/signon/roles.js';

/** OpenAPI shows the highest role first. */
export const OrganizationRole = z.enum([...ORGANIZATION_ROLES].reverse());
export type OrganizationRole = z.infer<typeof OrganizationRole>;
