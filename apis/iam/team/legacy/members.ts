import { z } from 'zod';
import type { ApiResponse } from '../../../../pkg/http/exchange.js';
import type { KubeObject } from '../../../../pkg/meta/types.js';
import type { LegacyCall } from '../../../../registry/legacy/call.js';
import { badRequestData, type ErrorRule, plainFailure } from '../../../../registry/legacy/errors.js';
import { done, ok } from '../../../../registry/legacy/respond.js';
import { type LegacyHandler, type LegacyRoute, routes } from '../../../../registry/legacy/route.js';
import { unchanged, whileUnchanged } from '../../../../registry/legacy/unchanged.js';
import type { Plan } from '../../../../registry/transact.js';
import { type User, userByEmail, userById, userNamed, userNotFound } from '../../legacy/people.js';
import { type IamServices, type Plans, plansOf } from '../../legacy/services.js';
import { teamBindingName } from '../../names.js';
import { BY_TEAM, type TeamBindingSpec } from '../../teambinding/schema.js';
import { ADMIN, MEMBER, memberDto, type Team } from './dto.js';
import { teamOfPath } from './lookup.js';

type Binding = KubeObject<TeamBindingSpec>;
export type Permission = TeamBindingSpec['permission'];

/** One request changes so many members at most. */
const MOST = 10_000;

const Emails = z.array(z.string()).max(MOST).nullish();
const AllBody = z.object({ members: Emails, admins: Emails });
const AddBody = z.object({ userId: z.int(), permission: z.int().nullish() });
const ChangeBody = z.object({ permission: z.int() });

const ALREADY = { status: 400, body: { message: 'User is already added to this team' } };

/** Users of other organizations are as good as none. */
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

/** Members of teams: `/api/teams/:teamId/members`. */
export function memberRoutes(services: IamServices): readonly LegacyRoute[] {
  const list: LegacyHandler = (call) => {
    const team = teamOfPath(call, 'get');
    return ok(membersOf(call, team).map(({ user, spec }) => memberDto(call, team, user, spec)));
  };
  const add: LegacyHandler = async (call) => {
    const { name } = managed(call, 'create').metadata;
    const body = call.body(AddBody);
    const user = userById(call, body.userId).metadata.name;
    await call.objects<TeamBindingSpec>('TeamBinding').create({
      metadata: { name: teamBindingName(name, user) },
      spec: { teamRef: { name }, userRef: { name: user }, permission: permissionFrom(body.permission ?? MEMBER) },
    });
    return done('Member added to Team');
  };
  const change: LegacyHandler = async (call) => {
    const binding = bindingOfPath(call, 'update');
    const permission = permissionFrom(call.body(ChangeBody).permission);
    await call
      .objects<TeamBindingSpec>('TeamBinding')
      .update(binding.metadata.name, (old) => ({ ...old, spec: { ...(old.spec as TeamBindingSpec), permission } }));
    return done('Team member updated');
  };
  const remove: LegacyHandler = async (call) => {
    await call.objects('TeamBinding').delete(bindingOfPath(call, 'delete').metadata.name);
    return done('Team Member removed');
  };
  return routes(
    { errors: ERRORS, fallback: 'Failed to update team members' },
    {
      'GET /teams/:teamId/members': list,
      'POST /teams/:teamId/members': add,
      'PUT /teams/:teamId/members': (call) => replaceMembers(services, call),
      'PUT /teams/:teamId/members/:userId': change,
      'DELETE /teams/:teamId/members/:userId': remove,
    },
  );
}

export interface Member {
  readonly user: User;
  readonly spec: TeamBindingSpec;
}

/** Those that the caller may see, by login. */
export function membersOf(call: LegacyCall, team: Team): readonly Member[] {
  const bindings = call.objects<TeamBindingSpec>('TeamBinding').list(ofTeam(call, team));
  const members = [...bindings].flatMap(({ spec }): readonly Member[] => {
    const user = spec && userNamed(call, spec.userRef.name);
    return spec === undefined || user === undefined ? [] : [{ user, spec }];
  });
  return members.sort((a, b) => a.user.spec.login.localeCompare(b.user.spec.login, 'en'));
}

function ofTeam(call: LegacyCall, { metadata }: Team) {
  return { index: BY_TEAM, prefix: [call.organization.namespace, metadata.name] };
}

/** The team of the path, for callers who may change who belongs to it. */
export function managed(call: LegacyCall, verb: 'create' | 'update' | 'delete'): Team {
  const team = teamOfPath(call, 'get');
  const { namespace } = call.organization;
  const userRef = { name: call.user.uid || 'none' };
  const spec: TeamBindingSpec = { teamRef: { name: team.metadata.name }, userRef, permission: 'member' };
  const metadata = { ...team.metadata, name: teamBindingName(team.metadata.name, userRef.name), namespace };
  const { kind, check } = call.objects('TeamBinding');
  check(verb, { apiVersion: kind.apiVersion, kind: kind.kind, metadata, spec });
  return team;
}

function bindingOfPath(call: LegacyCall, verb: 'update' | 'delete'): Binding {
  const team = managed(call, verb);
  const user = call.objects('User').byId(call.id('userId'));
  const bindings = call.objects<TeamBindingSpec>('TeamBinding');
  for (const binding of bindings.scan(ofTeam(call, team))) {
    if (binding.spec?.userRef.name === user?.metadata.name) return binding;
  }
  throw plainFailure(404, 'Team member not found');
}

function permissionFrom(number: number): Permission {
  if (number !== MEMBER && number !== ADMIN) throw badRequestData();
  return number === ADMIN ? 'admin' : 'member';
}

/** Makes exactly these the members: all in one commit, or nothing. Who stands in both lists is an admin. */
async function replaceMembers(services: IamServices, call: LegacyCall): Promise<ApiResponse> {
  const team = managed(call, 'update');
  const { members, admins } = call.body(AllBody);
  const wanted = new Map<string, Permission>();
  for (const email of members ?? []) wanted.set(existing(call, email).metadata.name, 'member');
  for (const email of admins ?? []) wanted.set(existing(call, email).metadata.name, 'admin');
  await setMembers(services, call, team, wanted, true);
  return done('Team memberships have been updated');
}

/** Gives users these permissions, or none where it is empty, in one commit; with `isWhole`, and nobody else any. */
export async function setMembers(
  services: IamServices,
  call: LegacyCall,
  team: Team,
  wanted: ReadonlyMap<string, Permission | ''>,
  isWhole: boolean,
): Promise<void> {
  await whileUnchanged(() => makeMembers(plansOf(services, call), call, team, wanted, isWhole));
}

async function makeMembers(
  plans: Plans,
  call: LegacyCall,
  team: Team,
  wanted: ReadonlyMap<string, Permission | ''>,
  isWhole: boolean,
): Promise<void> {
  const { namespace } = call.organization;
  const { kind, scan } = call.objects<TeamBindingSpec>('TeamBinding');
  const present = [...scan(ofTeam(call, team))];
  const names = present.map(({ metadata }) => metadata.name);
  const byUser = new Map(present.map((binding) => [binding.spec?.userRef.name ?? '', binding]));
  const change = (user: string): readonly Plan[] => {
    const binding = byUser.get(user);
    const permission = wanted.get(user) ?? '';
    if (permission !== '') return memberPlan(plans, team, binding, user, permission, namespace);
    return binding === undefined ? [] : [plans.delete('TeamBinding', binding.metadata.name, { namespace })];
  };
  // Each change is checked after those before it: who gives up their own rights does so last.
  const others = new Set([...(isWhole ? byUser.keys() : []), ...wanted.keys()]);
  const self = others.delete(call.user.uid) ? [call.user.uid] : [];
  const changes = [...others, ...self].flatMap(change);
  if (changes.length > 0) await plans.commit([unchanged(kind, ofTeam(call, team), names), ...changes]);
}

function existing(call: LegacyCall, email: string): User {
  const user = userByEmail(call, email);
  if (user === undefined) throw userNotFound();
  return user;
}

function memberPlan(
  plans: Plans,
  { metadata: { name } }: Team,
  present: Binding | undefined,
  user: string,
  permission: Permission,
  namespace: string,
): readonly Plan[] {
  if (present?.spec?.permission === permission) return [];
  const spec: TeamBindingSpec = { teamRef: { name }, userRef: { name: user }, permission };
  if (present === undefined) {
    return [plans.create('TeamBinding', { metadata: { name: teamBindingName(name, user) }, spec }, { namespace })];
  }
  const change = (old: Binding): Binding => ({ ...old, spec: { ...(old.spec as TeamBindingSpec), permission } });
  return [plans.update<TeamBindingSpec>('TeamBinding', present.metadata.name, change, { namespace })];
}
