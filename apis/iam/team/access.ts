import type { KindAccess } from '../../access.js';

export const access: KindAccess = {
  members: {
    Admin: {
      'teams:*': [
        'teams:create',
        'teams:read',
        'teams:write',
        'teams:delete',
        'teams.permissions:read',
        'teams.permissions:write',
      ],
    },
  },
};

/** The actions on a team that its members and its admins have. */
export const TEAM_SETS: Readonly<Record<'member' | 'admin', readonly string[]>> = {
  member: ['teams:read', 'teams.permissions:read'],
  admin: ['teams:read', 'teams:write', 'teams:delete', 'teams.permissions:read', 'teams.permissions:write'],
};
