import type { Permission } from '../pkg/identity/authz/grants.js';

/** The actions that are granted on each scope. */
type ScopedActions = Readonly<Record<string, readonly string[]>>;
/** The actions of each level of access. A level also has those of the levels before it. */
type Levels = Readonly<Partial<Record<'View' | 'Edit' | 'Admin', readonly string[]>>>;

/**
 * What the roles of the server may do with the objects of one kind. Without it, only administrators of the server may
 * use the kind.
 */
export interface KindAccess {
  /**
   * What members of an organization may do, by their role. An Editor may do what a Viewer may, and an Admin what an
   * Editor may.
   */
  readonly members?: Readonly<Partial<Record<'Viewer' | 'Editor' | 'Admin', ScopedActions>>>;
  /** What a permission on a folder allows in the folder and in everything below it. */
  readonly inFolders?: Levels;
  /** What a permission on a dashboard allows on the dashboard. */
  readonly onDashboards?: Levels;
}

/** What the roles of the server may do with the objects of all kinds together. */
export interface BuiltInAccess {
  /** By the role of a member. Those of Viewer and Editor do not hold in private folders (docs/adr/0045). */
  readonly roles: Readonly<Record<string, readonly Permission[]>>;
  readonly folders: Readonly<Record<string, readonly string[]>>;
  readonly dashboards: Readonly<Record<string, readonly string[]>>;
}

export function builtInAccess(kinds: readonly KindAccess[]): BuiltInAccess {
  const ofMembers = (role: 'Viewer' | 'Editor' | 'Admin') => kinds.flatMap(({ members }) => flatten(members?.[role]));
  const [viewer, editor] = [ofMembers('Viewer'), ofMembers('Editor')];
  return {
    roles: {
      None: [],
      Viewer: basic(viewer),
      Editor: basic([...viewer, ...editor]),
      Admin: [...viewer, ...editor, ...ofMembers('Admin')],
    },
    folders: levelsOf(kinds.map(({ inFolders }) => inFolders)),
    dashboards: levelsOf(kinds.map(({ onDashboards }) => onDashboards)),
  };
}

function flatten(actions: ScopedActions = {}): readonly Permission[] {
  return Object.entries(actions).flatMap(([scope, own]) => own.map((action) => ({ action, scope })));
}

function basic(permissions: readonly Permission[]): readonly Permission[] {
  return permissions.map((permission) => ({ ...permission, isBasic: true }));
}

function levelsOf(kinds: readonly (Levels | undefined)[]): Readonly<Record<string, readonly string[]>> {
  const all = (level: 'View' | 'Edit' | 'Admin') => kinds.flatMap((levels) => levels?.[level] ?? []);
  const view = all('View');
  const edit = [...view, ...all('Edit')];
  return { View: view, Edit: edit, Admin: [...edit, ...all('Admin')] };
}
