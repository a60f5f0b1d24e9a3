import type { KubeObject } from '../../../pkg/meta/types.js';
import type { LegacyCall } from '../../../registry/legacy/call.js';
import { plainFailure } from '../../../registry/legacy/errors.js';
import { avatarUrl, teamAvatarUrl } from '../../iam/legacy/formats.js';
import { serviceAccountLogin } from '../../iam/legacy/logins.js';
import type { RoleBindingSpec } from '../../rolebinding/kind.js';
import type { UserSpec } from '../../user/kind.js';

export type Subject = RoleBindingSpec['subject'];

interface Titled {
  readonly title: string;
  readonly email?: string;
}

export const BASIC_ROLES: readonly string[] = ['Viewer', 'Editor', 'Admin'];

/** A user, or a service account, by integer id or uid. Throws `code` "user not found". */
export function personSubject(call: LegacyCall, text: string, code: number): Subject {
  const user = byIdOrName<UserSpec>(call, 'User', text);
  if (user !== undefined) return { kind: 'User', name: user.metadata.name };
  const account = call.hasKind('ServiceAccount') && call.objects('ServiceAccount').peek(text);
  if (account) return { kind: 'ServiceAccount', name: account.metadata.name };
  throw plainFailure(code, 'user not found');
}

export function teamSubject(call: LegacyCall, text: string, code: number): Subject {
  const team = byIdOrName(call, 'Team', text);
  if (team === undefined) throw plainFailure(code, 'team not found');
  return { kind: 'Team', name: team.metadata.name };
}

export function roleSubject(role: string): Subject {
  if (!BASIC_ROLES.includes(role)) throw plainFailure(400, 'role is invalid');
  return { kind: 'BasicRole', name: role };
}

function byIdOrName<Spec>(call: LegacyCall, kind: string, text: string): KubeObject<Spec> | undefined {
  const objects = call.objects<Spec>(kind);
  const byId = /^[0-9]{1,15}$/.test(text) ? objects.byId(Number(text)) : undefined;
  return byId ?? objects.peek(text);
}

/** How a subject is shown; what does not apply is 0 or empty, as callers expect. */
export function subjectDto(call: LegacyCall, { kind, name }: Subject): Readonly<Record<string, unknown>> {
  if (kind === 'BasicRole') return { ...NOBODY, role: name };
  if (kind === 'Team') return { ...NOBODY, ...teamDto(call, name) };
  return { ...NOBODY, ...(kind === 'User' ? userDto(call, name) : accountDto(call, name)) };
}

/** The same where only what applies is shown. */
export function accessSubjectDto(call: LegacyCall, { kind, name }: Subject): Readonly<Record<string, unknown>> {
  const isServiceAccount = kind === 'ServiceAccount';
  if (kind === 'BasicRole') {
    return { roleName: `managed:builtins:${name.toLowerCase()}:permissions`, isServiceAccount, builtInRole: name };
  }
  if (kind === 'Team') {
    const { teamEmail: _, ...team } = teamDto(call, name);
    return { roleName: `managed:teams:${team['teamId']}:permissions`, isServiceAccount, ...team };
  }
  const { userEmail: _, ...person } = isServiceAccount ? accountDto(call, name) : userDto(call, name);
  return { roleName: `managed:users:${person['userId'] ?? name}:permissions`, ...person, isServiceAccount };
}

const NOBODY = {
  userId: 0,
  userUid: '',
  userLogin: '',
  userEmail: '',
  userAvatarUrl: '',
  teamId: 0,
  teamUid: '',
  team: '',
  teamEmail: '',
};

function userDto(call: LegacyCall, name: string): Readonly<Record<string, unknown>> {
  const users = call.objects<UserSpec>('User');
  const user = users.peek(name);
  if (user?.spec === undefined) return {};
  const { login, email } = user.spec;
  return {
    userId: users.idOf(user),
    userUid: name,
    userLogin: login,
    userEmail: email,
    userAvatarUrl: avatarUrl(email),
  };
}

/** Service accounts have integer ids of their own, so that only the uid says which one it is. */
function accountDto(call: LegacyCall, name: string): Readonly<Record<string, unknown>> {
  const accounts = call.objects<Titled>('ServiceAccount');
  const account = accounts.peek(name);
  if (account?.spec === undefined) return {};
  return {
    userUid: name,
    userLogin: serviceAccountLogin(accounts.idOf(account), account.spec.title),
    isServiceAccount: true,
  };
}

function teamDto(call: LegacyCall, name: string): Readonly<Record<string, unknown>> {
  const teams = call.objects<Titled>('Team');
  const team = teams.peek(name);
  if (team?.spec === undefined) return {};
  const { title, email } = team.spec;
  const teamAvatar = teamAvatarUrl(email, title);
  return { teamId: teams.idOf(team), teamUid: name, team: title, teamEmail: email ?? '', teamAvatarUrl: teamAvatar };
}
