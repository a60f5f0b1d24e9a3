import type { Permission } from '../../pkg/authz/grants.js';

/** A built-in role: the actions, by the scope on which they are granted. */
type RoleSet = Readonly<Record<string, readonly string[]>>;

const VIEWER: RoleSet = {
  'folders:*': ['folders:read', 'library.panels:read', 'alert.rules:read'],
  'dashboards:*': ['dashboards:read'],
  'annotations:*': ['annotations:read'],
};

const EDITOR: RoleSet = {
  'folders:*': [
    'folders:create',
    'folders:write',
    'folders:delete',
    'library.panels:create',
    'library.panels:write',
    'library.panels:delete',
    'alert.rules:create',
    'alert.rules:write',
    'alert.rules:delete',
    'dashboards:create',
  ],
  'dashboards:*': ['dashboards:write', 'dashboards:delete'],
  'annotations:*': ['annotations:create', 'annotations:write', 'annotations:delete'],
};

const ADMIN: RoleSet = {
  'folders:*': ['folders.permissions:read', 'folders.permissions:write'],
  'dashboards:*': ['dashboards.permissions:read', 'dashboards.permissions:write'],
  'users:*': ['org.users:read', 'org.users:add', 'org.users:write', 'org.users:remove'],
  'teams:*': [
    'teams:create',
    'teams:read',
    'teams:write',
    'teams:delete',
    'teams.permissions:read',
    'teams.permissions:write',
  ],
  'serviceaccounts:*': [
    'serviceaccounts:create',
    'serviceaccounts:read',
    'serviceaccounts:write',
    'serviceaccounts:delete',
    'serviceaccounts.permissions:read',
    'serviceaccounts.permissions:write',
  ],
  'leases:*': ['leases:read', 'leases:create', 'leases:write', 'leases:delete'],
  'secrets:*': ['secrets:read', 'secrets:create', 'secrets:write', 'secrets:delete'],
  'configmaps:*': ['configmaps:read', 'configmaps:create', 'configmaps:write', 'configmaps:delete'],
  'applysets:*': ['applysets:read', 'applysets:create', 'applysets:write', 'applysets:delete'],
  'events:*': ['events:read', 'events:create', 'events:write', 'events:delete'],
  'roles:*': ['roles:read', 'roles:write', 'roles:delete'],
  '': ['orgs.preferences:read', 'orgs.preferences:write'],
};

/** The permissions of the members of an organization, by their role. Those of Viewer and Editor do not hold in private folders (docs/adr/0045). */
export const ROLE_SETS: Readonly<Record<string, readonly Permission[]>> = {
  None: [],
  Viewer: basic(VIEWER),
  Editor: basic(VIEWER, EDITOR),
  Admin: flatten(VIEWER, EDITOR, ADMIN),
};

const VIEW = ['folders:read', 'dashboards:read', 'annotations:read', 'library.panels:read', 'alert.rules:read'];
const EDIT = [
  ...VIEW,
  'folders:create',
  'folders:write',
  'folders:delete',
  'dashboards:create',
  'dashboards:write',
  'dashboards:delete',
  'annotations:create',
  'annotations:write',
  'annotations:delete',
  'library.panels:create',
  'library.panels:write',
  'library.panels:delete',
  'alert.rules:create',
  'alert.rules:write',
  'alert.rules:delete',
];

/** The actions that a folder permission grants in the folder and in everything below it. */
export const FOLDER_SETS: Readonly<Record<string, readonly string[]>> = {
  View: VIEW,
  Edit: EDIT,
  Admin: [
    ...EDIT,
    'folders.permissions:read',
    'folders.permissions:write',
    'dashboards.permissions:read',
    'dashboards.permissions:write',
  ],
};

const DASHBOARD_VIEW = ['dashboards:read', 'annotations:read'];
const DASHBOARD_EDIT = [
  ...DASHBOARD_VIEW,
  'dashboards:write',
  'dashboards:delete',
  'annotations:create',
  'annotations:write',
  'annotations:delete',
];

/** The actions that a dashboard permission grants on the dashboard. */
export const DASHBOARD_SETS: Readonly<Record<string, readonly string[]>> = {
  View: DASHBOARD_VIEW,
  Edit: DASHBOARD_EDIT,
  Admin: [...DASHBOARD_EDIT, 'dashboards.permissions:read', 'dashboards.permissions:write'],
};

const ACCOUNT_EDIT = ['serviceaccounts:read', 'serviceaccounts:write'];

/** The actions on a service account that a permission on it grants. */
export const SERVICE_ACCOUNT_SETS: Readonly<Record<string, readonly string[]>> = {
  Edit: ACCOUNT_EDIT,
  Admin: [
    ...ACCOUNT_EDIT,
    'serviceaccounts:delete',
    'serviceaccounts.permissions:read',
    'serviceaccounts.permissions:write',
  ],
};

/** The actions on a team that its members and its admins have. */
export const TEAM_SETS: Readonly<Record<'member' | 'admin', readonly string[]>> = {
  member: ['teams:read', 'teams.permissions:read'],
  admin: ['teams:read', 'teams:write', 'teams:delete', 'teams.permissions:read', 'teams.permissions:write'],
};

/** The actions on an organization itself that its members and its admins have. */
export const ORGANIZATION_SETS: Readonly<Record<'member' | 'admin', readonly string[]>> = {
  member: ['orgs:read'],
  admin: ['orgs:read', 'orgs:write'],
};

function flatten(...sets: readonly RoleSet[]): readonly Permission[] {
  return sets.flatMap((set) =>
    Object.entries(set).flatMap(([scope, actions]) => actions.map((action) => ({ action, scope }))),
  );
}

function basic(...sets: readonly RoleSet[]): readonly Permission[] {
  return flatten(...sets).map((permission) => ({ ...permission, isBasic: true }));
}
