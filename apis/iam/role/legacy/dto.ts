import type { KubeObject } from '../../../../pkg/kube/meta/types.js';
import type { LegacyCall } from '../../../../registry/legacy/call.js';
import type { RoleSpec } from '../schema.js';

/** What answers have of a role or its assignments, and callers send back. */
export const ROLE_ANSWERED: readonly string[] = [
  'uid',
  'name',
  'displayName',
  'description',
  'group',
  'version',
  'hidden',
  'global',
  'created',
  'updated',
  'permissions',
  'delegatable',
  'mapped',
  'role_uid',
  'users',
  'teams',
  'service_accounts',
  'roleUid',
  'roleUids',
];

export type Role = KubeObject<RoleSpec> & { readonly spec: RoleSpec };

type Dto = Readonly<Record<string, unknown>>;

/** A role as lists show it: without its permissions. */
export function roleDto(call: LegacyCall, { metadata, spec }: Role): Dto {
  return {
    version: spec.version ?? 0,
    uid: metadata.name,
    name: spec.name ?? metadata.name,
    displayName: spec.title ?? '',
    description: spec.description ?? '',
    group: spec.group ?? '',
    hidden: spec.hidden ?? false,
    global: spec.global ?? false,
    ...timesOf(call, metadata),
  };
}

export function fullRoleDto(call: LegacyCall, role: Role): Dto {
  const times = timesOf(call, role.metadata);
  const permissions = role.spec.permissions.map(({ action, scope }) => ({ action, scope, ...times }));
  return { ...roleDto(call, role), permissions };
}

function timesOf(call: LegacyCall, { creationTimestamp, annotations }: KubeObject['metadata']): Dto {
  const { updatedTimestamp } = call.kind('iam/Role').ownedKeys;
  return { created: creationTimestamp, updated: annotations?.[updatedTimestamp] ?? creationTimestamp };
}
