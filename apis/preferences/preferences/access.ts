import type { KindAccess } from '../../access.js';

export const access: KindAccess = {
  members: { Admin: { '': ['orgs.preferences:read', 'orgs.preferences:write'] } },
};
