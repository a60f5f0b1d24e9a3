import type { KindAccess } from '../../access.js';

export const access: KindAccess = {
  members: {
    Admin: {
      'users:*': ['org.users:read', 'org.users:add', 'org.users:create', 'org.users:write', 'org.users:remove'],
    },
  },
};
