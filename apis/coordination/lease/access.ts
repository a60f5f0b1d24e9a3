import type { KindAccess } from '../../access.js';

export const access: KindAccess = {
  members: { Admin: { 'leases:*': ['leases:read', 'leases:create', 'leases:write', 'leases:delete'] } },
};
