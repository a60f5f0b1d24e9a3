import { z } from 'zod';
import { OrganizationRole } from '../organization-role.js';

/** `editor` and `EDITOR` → `Editor`: clients write roles in any case. Any other text stays what it is. */
export function roleNamed(text: string): string {
  return OrganizationRole.options.find((role) => role.toLowerCase() === text.toLowerCase()) ?? text;
}

export const LegacyRole = z.preprocess(
  (value) => (typeof value === 'string' ? roleNamed(value) : value),
  OrganizationRole,
);
