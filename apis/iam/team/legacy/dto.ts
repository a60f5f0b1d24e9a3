import type { KubeObject } from '../../../../pkg/kube/meta/types.js';
import { extended } from '../../../../pkg/system/object/extended.js';
import { type AccessControl, accessControlOf } from '../../../../registry/legacy/access-control.js';
import type { LegacyCall } from '../../../../registry/legacy/call.js';
import { avatarUrl, teamAvatarUrl, time } from '../../legacy/formats.js';
import type { User } from '../../legacy/people.js';
import type { TeamBindingSpec } from '../../teambinding/schema.js';
import { TEAM_SETS } from '../access.js';
import type { TeamSpec } from '../schema.js';

/** What answers have of a team or its members, and callers send back. */
export const TEAM_ANSWERED: readonly string[] = [
  'id',
  'uid',
  'orgId',
  'name',
  'email',
  'externalUID',
  'isProvisioned',
  'avatarUrl',
  'memberCount',
  'permission',
  'accessControl',
  'created',
  'updated',
  'teamId',
  'teamUID',
  'userId',
  'userUID',
  'auth_module',
  'login',
  'labels',
  'groupId',
];

export type Team = KubeObject<TeamSpec> & { readonly spec: TeamSpec };

/** The numbers of the permissions of members in the legacy API. */
export const MEMBER = 0;
export const ADMIN = 4;

export interface TeamDto extends AccessControl {
  readonly id: number;
  readonly uid: string;
  readonly orgId: number;
  readonly name: string;
  readonly email: string;
  readonly externalUID: string;
  readonly isProvisioned: boolean;
  readonly avatarUrl: string;
  readonly memberCount: number;
  /** The permission of the caller in the team. */
  readonly permission: number;
}

/** The fields of a response that are not part of the team. */
export interface TeamContext {
  readonly orgId: number;
  readonly memberCount: number;
  readonly permission: number;
}

export function teamDto(call: LegacyCall, team: Team, context: TeamContext): TeamDto {
  const { metadata, spec } = team;
  return {
    id: call.objects('iam/Team').idOf(team),
    uid: metadata.name,
    orgId: context.orgId,
    name: spec.title,
    email: spec.email ?? '',
    externalUID: spec.externalUID ?? '',
    isProvisioned: spec.provisioned ?? false,
    avatarUrl: teamAvatarUrl(spec.email, spec.title),
    memberCount: context.memberCount,
    permission: context.permission,
    ...accessControlOf(call, 'iam/Team', team, TEAM_SETS.admin),
  };
}

/** A single team also has its times. */
export function singleTeam(call: LegacyCall, team: Team, context: TeamContext): object {
  const { updatedTimestamp } = call.kind('iam/Team').ownedKeys;
  const created = Date.parse(team.metadata.creationTimestamp ?? '');
  const updated = Date.parse(team.metadata.annotations?.[updatedTimestamp] ?? '');
  return extended(teamDto(call, team, context), {
    created: time(created),
    updated: time(Number.isNaN(updated) ? created : updated),
  });
}

export function permissionOf(binding: TeamBindingSpec | undefined): number {
  return binding?.permission === 'admin' ? ADMIN : MEMBER;
}

export function memberDto(
  call: LegacyCall,
  team: Team,
  user: User,
  binding: TeamBindingSpec,
): Readonly<Record<string, unknown>> {
  return {
    orgId: call.organization.id,
    teamId: call.objects('iam/Team').idOf(team),
    teamUID: team.metadata.name,
    userId: call.objects('iam/User').idOf(user),
    userUID: user.metadata.name,
    auth_module: '',
    email: user.spec.email,
    name: user.spec.name,
    login: user.spec.login,
    avatarUrl: avatarUrl(user.spec.email),
    labels: [],
    permission: permissionOf(binding),
  };
}
