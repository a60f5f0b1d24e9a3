import type { LegacyCall } from '../../../../registry/legacy/call.js';
import { ok } from '../../../../registry/legacy/respond.js';
import { type LegacyRoute, routes } from '../../../../registry/legacy/router.js';
import type { BuiltInAccess } from '../../../access.js';
import { accessIn } from '../../../authorization/defined.js';
import { actionsOn, rolePermissions } from '../../../authorization/permissions.js';
import type { ConfiguredServices } from '../../../environment.js';
import { ORGANIZATION_SETS } from '../../organization/access.js';
import { SERVICE_ACCOUNT_SETS } from '../../serviceaccount/access.js';
import { TEAM_SETS } from '../../team/access.js';
import { BUILT_IN_ROLES } from './answers.js';
import { ROLE_NOTES } from './notes.js';

/** What a role of the server allows. */
interface BuiltInRole {
  /** As members, RoleBindings (`BuiltIn`) and TeamBindings call it. */
  readonly name: string;
  /** What the role is given on. */
  readonly on: 'organization' | 'folder' | 'dashboard' | 'serviceAccount' | 'team';
  /** Whether it also holds in private folders (docs/adr/0045). */
  readonly inPrivateFolders: boolean;
  /** An action without a scope holds on what the role is given on, and on what lies in it. */
  readonly permissions: readonly { readonly action: string; readonly scope?: string }[];
}

/** The roles that nobody can change. Everybody may know what they allow, because everybody has one of them. */
export function builtInRoutes({ registry, environment }: ConfiguredServices): readonly LegacyRoute[] {
  return routes(
    { notes: ROLE_NOTES },
    {
      'GET /access-control/built-in-roles': {
        answer: BUILT_IN_ROLES,
        summary: 'Lists the roles of the server with their permissions: those of members, and the levels of access',
        handle: (call) => ok(builtInRoles(call, accessIn(registry.reader, environment))),
      },
    },
  );
}

function builtInRoles(call: LegacyCall, access: BuiltInAccess): readonly BuiltInRole[] {
  const { namespace } = call.organization;
  return [
    ...Object.keys(access.roles).map((name) => memberRole(name, namespace, access)),
    ...levels('folder', access.folders),
    ...levels('dashboard', access.dashboards),
    ...levels('serviceAccount', SERVICE_ACCOUNT_SETS),
    ...levels('team', TEAM_SETS),
  ];
}

/** What a member may do, with what they may do with the organization itself. */
function memberRole(name: string, namespace: string, access: BuiltInAccess): BuiltInRole {
  const own = ORGANIZATION_SETS[name === 'Admin' ? 'admin' : 'member'];
  const granted = rolePermissions(name, access);
  const permissions = [...granted, ...actionsOn(own, `orgs:uid:${namespace}`)];
  return {
    name,
    on: 'organization',
    inPrivateFolders: !granted.some(({ isBasic }) => isBasic === true),
    permissions: permissions.map(({ action, scope }) => ({ action, scope })),
  };
}

type Sets = Readonly<Record<string, readonly string[]>>;

function levels(on: BuiltInRole['on'], sets: Sets): readonly BuiltInRole[] {
  return Object.entries(sets).map(([name, actions]) => ({
    name,
    on,
    inPrivateFolders: true,
    permissions: actions.map((action) => ({ action })),
  }));
}
