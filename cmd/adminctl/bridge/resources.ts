/** A kind of the target, as its resource API serves it. */
export interface Resource {
  /** Without the domain. */
  readonly group: string;
  readonly plural: string;
  readonly kind: string;
  /** Objects are not in a namespace. */
  readonly isGlobal?: boolean;
  /** The source tells the whole spec. Otherwise, members that it does not tell stay as they are. */
  readonly isWhole?: boolean;
}

export const ORGANIZATIONS: Resource = {
  group: 'iam',
  plural: 'organizations',
  kind: 'Organization',
  isGlobal: true,
};
export const USERS: Resource = { group: 'iam', plural: 'users', kind: 'User', isGlobal: true };
export const MEMBERS: Resource = { group: 'iam', plural: 'organizationbindings', kind: 'OrganizationBinding' };
export const TEAMS: Resource = { group: 'iam', plural: 'teams', kind: 'Team' };
export const TEAM_MEMBERS: Resource = { group: 'iam', plural: 'teambindings', kind: 'TeamBinding', isWhole: true };
export const ACCOUNTS: Resource = { group: 'iam', plural: 'serviceaccounts', kind: 'ServiceAccount' };
export const ROLES: Resource = { group: 'iam', plural: 'roles', kind: 'Role' };
export const BINDINGS: Resource = { group: 'iam', plural: 'rolebindings', kind: 'RoleBinding', isWhole: true };
export const FOLDERS: Resource = { group: 'folder', plural: 'folders', kind: 'Folder' };
export const ELEMENTS: Resource = { group: 'dashboard', plural: 'libraryelements', kind: 'LibraryElement' };
export const DASHBOARDS: Resource = { group: 'dashboard', plural: 'dashboards', kind: 'Dashboard', isWhole: true };
export const RULES: Resource = { group: 'rules.alerting', plural: 'alertrules', kind: 'AlertRule', isWhole: true };
export const ANNOTATIONS: Resource = { group: 'annotation', plural: 'annotations', kind: 'Annotation', isWhole: true };
export const PREFERENCES: Resource = {
  group: 'preferences',
  plural: 'preferences',
  kind: 'Preferences',
  isWhole: true,
};
export const STARS: Resource = { group: 'collections', plural: 'stars', kind: 'Stars', isWhole: true };
