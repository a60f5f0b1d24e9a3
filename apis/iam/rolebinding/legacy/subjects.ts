import type { KubeObject } from '../../../../pkg/kube/meta/types.js';
import type { LegacyCall } from '../../../../registry/legacy/call.js';
import { plainFailure } from '../../../../registry/legacy/errors.js';
import { avatarUrl, teamAvatarUrl } from '../../legacy/formats.js';
import { serviceAccountLogin } from '../../legacy/people.js';
import { roleNamed } from '../../legacy/roles.js';
import { shownEmail } from '../../legacy/visibility.js';
import type { UserSpec } from '../../user/schema.js';
import type { BindingSubject } from '../schema.js';

interface Titled {
  readonly title: string;
  readonly email?: string;
}

export const BASIC_ROLES: readonly string[] = ['Viewer', 'Editor', 'Admin'];

/** The kinds of subjects that are objects. */
type Stored = Exclude<BindingSubject['kind'], 'BasicRole'>;

/** An integer id, or a uid. */
export type Reference = number | string;

/** A path has an id or a uid. A number is an id if an object has it. */
export function referenceIn(call: LegacyCall, path: string, kind: Stored): Reference {
  const isId = /^[0-9]{1,15}$/.test(path) && call.objects(`iam/${kind}`).findById(Number(path)) !== undefined;
  return isId ? Number(path) : path;
}

/** Finds a user or a service account: their integer ids come from one sequence. Throws `code` "user not found". */
export function personSubject(call: LegacyCall, reference: Reference, code: number): BindingSubject {
  for (const kind of ['User', 'ServiceAccount'] as const) {
    const result = call.hasKind(`iam/${kind}`) ? find(call, kind, reference) : undefined;
    if (result !== undefined) return { kind, name: result.metadata.name };
  }
  throw plainFailure(code, 'user not found');
}

export function teamSubject(call: LegacyCall, reference: Reference, code: number): BindingSubject {
  const team = find(call, 'Team', reference);
  if (team === undefined) throw plainFailure(code, 'team not found');
  return { kind: 'Team', name: team.metadata.name };
}

export function roleSubject(text: string): BindingSubject {
  const role = roleNamed(text);
  if (!BASIC_ROLES.includes(role)) throw plainFailure(400, 'role is invalid');
  return { kind: 'BasicRole', name: role };
}

function find(call: LegacyCall, kind: Stored, reference: Reference): KubeObject | undefined {
  const objects = call.objects(`iam/${kind}`);
  return typeof reference === 'number' ? objects.findById(reference) : objects.find(reference);
}

/** The fields of a subject. Fields that do not apply are 0 or empty, as clients expect. */
export function subjectDto(call: LegacyCall, { kind, name }: BindingSubject): Readonly<Record<string, unknown>> {
  if (kind === 'BasicRole') return { ...NOBODY, role: name };
  if (kind === 'Team') return { ...NOBODY, ...teamDto(call, name) };
  return { ...NOBODY, ...(kind === 'User' ? userDto(call, name) : accountDto(call, name)) };
}

/** The same with only the fields that apply. */
export function accessSubjectDto(call: LegacyCall, { kind, name }: BindingSubject): Readonly<Record<string, unknown>> {
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
  const users = call.objects<UserSpec>('iam/User');
  const user = users.find(name);
  if (user?.spec === undefined) return {};
  const { login, email } = user.spec;
  const shown = shownEmail(call, name, email);
  return {
    userId: users.idOf(user),
    userUid: name,
    userLogin: login,
    userEmail: shown,
    userAvatarUrl: avatarUrl(shown),
  };
}

function accountDto(call: LegacyCall, name: string): Readonly<Record<string, unknown>> {
  const accounts = call.objects<Titled>('iam/ServiceAccount');
  const account = accounts.find(name);
  if (account?.spec === undefined) return {};
  return {
    userId: accounts.idOf(account),
    userUid: name,
    userLogin: serviceAccountLogin(accounts.idOf(account), account.spec.title),
    isServiceAccount: true,
  };
}

function teamDto(call: LegacyCall, name: string): Readonly<Record<string, unknown>> {
  const teams = call.objects<Titled>('iam/Team');
  const team = teams.find(name);
  if (team?.spec === undefined) return {};
  const { title, email } = team.spec;
  const teamAvatar = teamAvatarUrl(email, title);
  return { teamId: teams.idOf(team), teamUid: name, team: title, teamEmail: email ?? '', teamAvatarUrl: teamAvatar };
}
