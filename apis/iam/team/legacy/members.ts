import { z } from 'zod';
import type { ApiResponse } from '../../../../pkg/http/handler.js';
import { arrayOf } from '../../../../pkg/kube/meta/bounded.js';
import type { KubeObject } from '../../../../pkg/kube/meta/types.js';
import type { TransactionObjects } from '../../../../registry/client/objects.js';
import { isEffective } from '../../../../registry/kinds/ready-condition.js';
import type { LegacyCall } from '../../../../registry/legacy/call.js';
import { badRequestData, type ErrorRule, plainFailure } from '../../../../registry/legacy/errors.js';
import { deleted, done, ok } from '../../../../registry/legacy/respond.js';
import { type LegacyHandler, type LegacyRoute, routes } from '../../../../registry/legacy/router.js';
import { type User, userById, userByTrustedEmail, userNamed, userNotFound } from '../../legacy/people.js';
import { BY_TEAM, type TeamBindingSpec, teamBindingName } from '../../teambinding/schema.js';
import { PERMISSION, TEAM_MEMBERS } from './answers.js';
import { ADMIN, MEMBER, memberDto, TEAM_ANSWERED, type Team } from './dto.js';
import { teamOfPath } from './lookup.js';
import { TEAM_NOTES } from './notes.js';

type Binding = KubeObject<TeamBindingSpec>;
export type Permission = TeamBindingSpec['permission'];

/** The most members that one request may change. */
const MOST = 10_000;

const Emails = arrayOf(z.string(), MOST).nullish();
const AllBody = z.object({ members: Emails, admins: Emails });
const AddBody = z.object({ userId: z.int(), permission: z.int().nullish().describe(PERMISSION) });
/** Some clients leave out zero values, so an absent permission is 0. */
const ChangeBody = z.object({ permission: z.int().nullish().describe(PERMISSION) });

const ALREADY = { status: 400, body: { message: 'User is already added to this team' } };

/** Users of other organizations are answered like unknown users. */
export const NO_MEMBER: ErrorRule = {
  field: 'spec.userRef.name',
  cause: 'FieldValueNotFound',
  status: 404,
  body: { message: 'user not found' },
};

const ERRORS: readonly ErrorRule[] = [
  { reason: 'AlreadyExists', ...ALREADY },
  { field: 'spec.userRef.name', cause: 'FieldValueDuplicate', ...ALREADY },
  NO_MEMBER,
  { field: 'spec.teamRef.name', cause: 'FieldValueNotFound', status: 404, body: { message: 'Team not found' } },
  { code: 404, status: 404, body: { message: 'Team member not found' } },
];

/** `/api/teams/:teamId/members`. */
export function memberRoutes(): readonly LegacyRoute[] {
  const list: LegacyHandler = (call) => {
    const team = teamOfPath(call, 'get');
    return ok(membersOf(call, team).map(({ user, spec }) => memberDto(call, team, user, spec)));
  };
  const add: LegacyHandler = async (call) => {
    const { name } = managed(call, 'create').metadata;
    const body = call.body(AddBody);
    const user = userById(call, body.userId).metadata.name;
    await call.objects<TeamBindingSpec>('iam/TeamBinding').create({
      metadata: { name: teamBindingName(name, user) },
      spec: { teamRef: { name }, userRef: { name: user }, permission: permissionFrom(body.permission ?? MEMBER) },
    });
    return done('Member added to Team');
  };
  const change: LegacyHandler = async (call) => {
    const binding = bindingOfPath(call, 'update');
    const permission = permissionFrom(call.body(ChangeBody).permission ?? MEMBER);
    await call
      .objects<TeamBindingSpec>('iam/TeamBinding')
      .update(binding.metadata.name, (old) => ({ ...old, spec: { ...(old.spec as TeamBindingSpec), permission } }));
    return done('Team member updated');
  };
  const remove: LegacyHandler = async (call) => {
    const binding = await call.objects('iam/TeamBinding').delete(bindingOfPath(call, 'delete').metadata.name);
    return deleted(binding, 'Team Member removed');
  };
  return routes(
    { notes: TEAM_NOTES, errors: ERRORS, fallback: 'Failed to update team members', answerMembers: TEAM_ANSWERED },
    {
      'GET /teams/:teamId/members': { answer: TEAM_MEMBERS, summary: 'Lists the members of a team', handle: list },
      'POST /teams/:teamId/members': { summary: 'Adds a member to a team', body: AddBody, handle: add },
      'PUT /teams/:teamId/members': {
        summary: 'Replaces the members of a team',
        body: AllBody,
        handle: replaceMembers,
      },
      'PUT /teams/:teamId/members/:userId': {
        summary: 'Changes the permission of a member of a team',
        body: ChangeBody,
        handle: change,
      },
      'DELETE /teams/:teamId/members/:userId': { summary: 'Removes a member of a team', handle: remove },
    },
  );
}

export interface TeamMember {
  readonly user: User;
  readonly spec: TeamBindingSpec;
}

/** The members that the caller may view, by login. */
export function membersOf(call: LegacyCall, team: Team): readonly TeamMember[] {
  const bindings = call.objects<TeamBindingSpec>('iam/TeamBinding').list(ofTeam(call, team));
  const members = [...bindings].flatMap((binding): readonly TeamMember[] => {
    const { spec } = binding;
    const user = spec && userNamed(call, spec.userRef.name);
    return spec === undefined || user === undefined || !isEffective(binding) ? [] : [{ user, spec }];
  });
  return members.sort((a, b) => a.user.spec.login.localeCompare(b.user.spec.login, 'en'));
}

function ofTeam(call: LegacyCall, { metadata }: Team) {
  return { index: BY_TEAM, prefix: [call.organization.namespace, metadata.name] };
}

/** The team of the path. Throws 403 for callers who may not change its members. */
export function managed(call: LegacyCall, verb: 'create' | 'update' | 'delete'): Team {
  const team = teamOfPath(call, 'get');
  const { namespace } = call.organization;
  const userRef = { name: call.user.uid || 'none' };
  const spec: TeamBindingSpec = { teamRef: { name: team.metadata.name }, userRef, permission: 'member' };
  const metadata = { ...team.metadata, name: teamBindingName(team.metadata.name, userRef.name), namespace };
  const bindings = call.objects('iam/TeamBinding');
  const { kind } = bindings;
  bindings.authorize(verb, { apiVersion: kind.apiVersion, kind: kind.kind, metadata, spec });
  return team;
}

function bindingOfPath(call: LegacyCall, verb: 'update' | 'delete'): Binding {
  const team = managed(call, verb);
  const user = call.objects('iam/User').findById(call.id('userId'));
  const bindings = call.objects<TeamBindingSpec>('iam/TeamBinding');
  for (const binding of bindings.range(ofTeam(call, team))) {
    if (binding.spec?.userRef.name === user?.metadata.name && isEffective(binding)) return binding;
  }
  throw plainFailure(404, 'Team member not found');
}

function permissionFrom(number: number): Permission {
  if (number !== MEMBER && number !== ADMIN)
    throw badRequestData(undefined, 'permission: must be 0 for a member or 4 for an administrator');
  return number === ADMIN ? 'admin' : 'member';
}

/** Replaces all members, in one commit. A user in both lists becomes an admin. */
async function replaceMembers(call: LegacyCall): Promise<ApiResponse> {
  const team = managed(call, 'update');
  const { members, admins } = call.body(AllBody);
  // A body with neither list must not end all memberships.
  if (!members && !admins) throw badRequestData(undefined, 'members, admins: one of the two is needed');
  const wanted = new Map<string, Permission>();
  for (const email of members ?? []) wanted.set(existing(call, email).metadata.name, 'member');
  for (const email of admins ?? []) wanted.set(existing(call, email).metadata.name, 'admin');
  await setMembers(call, team, wanted, true);
  return done('Team memberships have been updated');
}

/**
 * Gives users these permissions, in one commit; an empty one ends the membership. With `isWhole`, all other memberships
 * end.
 */
export async function setMembers(
  call: LegacyCall,
  team: Team,
  wanted: ReadonlyMap<string, Permission | ''>,
  isWhole: boolean,
): Promise<void> {
  const range = ofTeam(call, team);
  await call.transactInSteps(function* (transaction) {
    const bindings = transaction.objects<TeamBindingSpec>('iam/TeamBinding');
    const present = [...bindings.range(range)].filter((binding) => isEffective(binding));
    const byUser = new Map(present.map((binding) => [binding.spec?.userRef.name ?? '', binding]));
    // Each change is authorized after those before it, so callers who give up their own rights do so last.
    const others = new Set([...(isWhole ? byUser.keys() : []), ...wanted.keys()]);
    const self = others.delete(call.user.uid) ? [call.user.uid] : [];
    for (const user of [...others, ...self]) {
      setMember(bindings, team.metadata.name, user, wanted.get(user) ?? '', byUser.get(user));
      yield;
    }
  });
}

function setMember(
  bindings: TransactionObjects<TeamBindingSpec>,
  team: string,
  user: string,
  permission: Permission | '',
  present: Binding | undefined,
): void {
  if (permission === '') {
    if (present !== undefined) bindings.delete(present.metadata.name);
  } else if (present === undefined) {
    const spec: TeamBindingSpec = { teamRef: { name: team }, userRef: { name: user }, permission };
    bindings.create({ metadata: { name: teamBindingName(team, user) }, spec });
  } else if (present.spec?.permission !== permission) {
    bindings.update(present.metadata.name, (old) => ({
      ...old,
      spec: { ...(old.spec as TeamBindingSpec), permission },
    }));
  }
}

function existing(call: LegacyCall, email: string): User {
  const user = userByTrustedEmail(call, email);
  if (user === undefined) throw userNotFound();
  return user;
}
