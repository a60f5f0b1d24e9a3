import type { KindAccess } from '../../access.js';

export const access: KindAccess = {
  members: { Admin: { 'roles:*': ['roles:read', 'roles:write', 'roles:delete'] } },
};
