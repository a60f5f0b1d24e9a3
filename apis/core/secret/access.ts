import type { KindAccess } from '../../access.js';

export const access: KindAccess = {
  members: { Admin: { 'secrets:*': ['secrets:read', 'secrets:create', 'secrets:write', 'secrets:delete'] } },
};
