import type { KindAccess } from '../../access.js';

export const access: KindAccess = {
  members: {
    Admin: { 'configmaps:*': ['configmaps:read', 'configmaps:create', 'configmaps:write', 'configmaps:delete'] },
  },
};
