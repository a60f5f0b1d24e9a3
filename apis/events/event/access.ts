import type { KindAccess } from '../../access.js';

export const access: KindAccess = {
  members: { Admin: { 'events:*': ['events:read', 'events:create', 'events:write', 'events:delete'] } },
};
