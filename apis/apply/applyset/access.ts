import type { KindAccess } from '../../access.js';

export const access: KindAccess = {
  members: { Admin: { 'applysets:*': ['applysets:read', 'applysets:create', 'applysets:write', 'applysets:delete'] } },
};
