import type { KindAccess } from '../../access.js';

/** Who may write a mirror sends what lies in the organization to another place. */
export const access: KindAccess = {
  members: { Admin: { 'mirrors:*': ['mirrors:read', 'mirrors:create', 'mirrors:write', 'mirrors:delete'] } },
};
