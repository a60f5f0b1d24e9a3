import { z } from 'zod';
import { line, shownName } from '../../../registry/kinds/fields.js';

const Address = z
  .strictObject({
    address1: line(255).optional(),
    address2: line(255).optional(),
    city: line(255).optional(),
    zipCode: line(50).optional(),
    state: line(255).optional(),
    country: line(255).optional(),
  })
  .meta({ id: 'OrganizationAddress' });

export const OrganizationSpec = z
  .strictObject({
    title: shownName(190).min(1, 'must not be empty').describe('Name shown to people.'),
    address: Address.optional().describe('Postal address.'),
  })
  .meta({ id: 'OrganizationSpec', description: 'What an organization is.' });
export type OrganizationSpec = z.infer<typeof OrganizationSpec>;

/** Organizations by folded title. */
export const BY_TITLE = 'byTitle';
