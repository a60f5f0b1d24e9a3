/** The actions on an organization itself that its members and its admins have. */
export const ORGANIZATION_SETS: Readonly<Record<'member' | 'admin', readonly string[]>> = {
  member: ['orgs:read'],
  admin: ['orgs:read', 'orgs:write'],
};
