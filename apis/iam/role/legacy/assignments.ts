import { z } from 'zod';
import { arrayOf } from '../../../../pkg/meta/bounded.js';
import { isTerminating, type KubeObject } from '../../../../pkg/meta/types.js';
import { flag } from '../../../../registry/legacy/body.js';
import type { LegacyCall } from '../../../../registry/legacy/call.js';
import { type ErrorRule, plainFailure, requireAction } from '../../../../registry/legacy/errors.js';
import { done, ok } from '../../../../registry/legacy/respond.js';
import { type LegacyHandler, type LegacyRoute, routes } from '../../../../registry/legacy/router.js';
import { noMember } from '../../rolebinding/legacy/permissions.js';
import { personSubject, type Reference, referenceIn, teamSubject } from '../../rolebinding/legacy/subjects.js';
import { type BindingSubject, BY_ROLE, BY_SUBJECT, type RoleBindingSpec } from '../../rolebinding/schema.js';
import type { RoleSpec } from '../schema.js';
import { ROLE_ANSWERED, type Role, roleDto } from './dto.js';

/** The most roles of a subject, and the most subjects of a role, that one request may set. */
const MOST = 1000;
const Ids = arrayOf(z.int(), MOST).nullish();
const AssignmentsBody = z.object({ users: Ids, teams: Ids, service_accounts: Ids });
const RoleBody = z.object({ roleUid: z.string(), global: z.boolean().nullish() });
const RolesBody = z.object({
  roleUids: arrayOf(z.string(), MOST).nullish(),
  global: z.boolean().nullish(),
  includeHidden: z.boolean().nullish(),
});

const ERRORS: readonly ErrorRule[] = [noMember(404), { code: 404, status: 404, body: { message: 'role not found' } }];

/** A custom role that somebody has everywhere in the organization. */
interface Assignment {
  readonly role: string;
  readonly subject: BindingSubject;
}

type Binding = KubeObject<RoleBindingSpec>;
type SubjectOfPath = (call: LegacyCall) => BindingSubject;

/** Who has a role, and which roles a user, a service account or a team has. An assignment is a RoleBinding without a scope. */
export function assignmentRoutes(): readonly LegacyRoute[] {
  return routes(
    { errors: ERRORS, fallback: 'Failed to update role assignments', answered: ROLE_ANSWERED },
    {
      'GET /access-control/roles/:uid/assignments': { summary: 'Lists who has a role', handle: listSubjects },
      'PUT /access-control/roles/:uid/assignments': {
        summary: 'Replaces who has a role',
        body: AssignmentsBody,
        handle: setSubjects,
      },
      ...rolesOf('users', ':userId', 'user', personOfPath),
      ...rolesOf('teams', ':teamId', 'team', (call) =>
        teamSubject(call, referenceIn(call, call.param('teamId'), 'Team'), 404),
      ),
    },
  );
}

/** The user or the service account of the path. */
function personOfPath(call: LegacyCall): BindingSubject {
  const path = call.param('userId');
  const user = referenceIn(call, path, 'User');
  return knownPerson(call, typeof user === 'number' ? user : referenceIn(call, path, 'ServiceAccount'));
}

/**
 * A user may get roles before becoming a member. To callers who may not view the user, users of other organizations are like unknown ones.
 */
function knownPerson(call: LegacyCall, reference: Reference): BindingSubject {
  const subject = personSubject(call, reference, 404);
  if (subject.kind !== 'User' || call.objects('iam/OrganizationBinding').find(subject.name) !== undefined)
    return subject;
  const users = call.objects('iam/User');
  if (!users.may('users:read', users.find(subject.name))) throw plainFailure(404, 'user not found');
  return subject;
}

function rolesOf(plural: string, param: string, word: string, subjectOfPath: SubjectOfPath) {
  const path = `/access-control/${plural}/${param}/roles`;
  const capital = `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
  const list: LegacyHandler = (call) => {
    requireAction(call.objects('iam/Role'), 'roles:read');
    const isHidden = flag(call.query, 'includeHidden');
    const roles = [...bindingsOf(call, subjectOfPath(call))].flatMap((binding) => viewable(call, binding));
    return ok(roles.filter(({ spec }) => isHidden || spec.hidden !== true).map((role) => roleDto(call, role)));
  };
  const add: LegacyHandler = async (call) => {
    requireAction(call.objects('iam/Role'), 'roles:write');
    const { roleUid, global } = call.body(RoleBody);
    warnGlobal(call, global);
    await change(call, [{ role: roleUid, subject: subjectOfPath(call) }], () => false);
    return done(`Role added to the ${word}.`);
  };
  const replace: LegacyHandler = async (call) => {
    requireAction(call.objects('iam/Role'), 'roles:write');
    const { roleUids, global, includeHidden } = call.body(RolesBody);
    warnGlobal(call, global);
    const subject = subjectOfPath(call);
    const roles = call.objects<RoleSpec>('iam/Role');
    // A client that does not see the hidden roles does not mean to remove them.
    const isMeant = (name: string): boolean => includeHidden === true || roles.find(name)?.spec?.hidden !== true;
    await change(
      call,
      (roleUids ?? []).map((role) => ({ role, subject })),
      ({ spec }) => isOf(subject, spec?.subject) && isMeant(spec?.roleRef.name ?? ''),
      { index: BY_SUBJECT, key: [subject.kind, subject.name] },
    );
    return done(`${capital} roles have been updated.`);
  };
  const remove: LegacyHandler = async (call) => {
    requireAction(call.objects('iam/Role'), 'roles:write');
    const subject = subjectOfPath(call);
    const { name } = call.objects('iam/Role').get(call.param('uid')).metadata;
    await change(call, [], ({ spec }) => isOf(subject, spec?.subject), { index: BY_ROLE, key: [name] });
    return done(`Role removed from ${word}.`);
  };
  return {
    [`GET ${path}`]: { summary: `Lists the roles of a ${word}`, query: ['includeHidden'], handle: list },
    [`POST ${path}`]: { summary: `Gives a role to a ${word}`, body: RoleBody, handle: add },
    [`PUT ${path}`]: { summary: `Replaces the roles of a ${word}`, body: RolesBody, handle: replace },
    [`DELETE ${path}/:uid`]: { summary: `Takes a role from a ${word}`, query: ['global'], handle: remove },
  };
}

const listSubjects: LegacyHandler = (call) => ok(assignmentsDto(call, roleOfPath(call, 'get')));

const setSubjects: LegacyHandler = async (call) => {
  const role = roleOfPath(call, 'update');
  const body = call.body(AssignmentsBody);
  const people = [...(body.users ?? []), ...(body.service_accounts ?? [])].map((id) => knownPerson(call, id));
  const teams = (body.teams ?? []).map((id) => teamSubject(call, id, 404));
  const wanted = [...people, ...teams].map((subject) => ({ role, subject }));
  await change(call, wanted, ({ spec }) => spec?.subject.kind !== 'BasicRole', { index: BY_ROLE, key: [role] });
  return ok(assignmentsDto(call, role));
};

function roleOfPath(call: LegacyCall, verb: 'get' | 'update'): string {
  return call.objects('iam/Role').getFor(verb, call.param('uid')).metadata.name;
}

function assignmentsDto(call: LegacyCall, role: string): unknown {
  const prefix = [call.organization.namespace, role];
  const bindings = [...call.objects<RoleBindingSpec>('iam/RoleBinding').range({ index: BY_ROLE, prefix })].filter(
    isAssignment,
  );
  const ids = (kind: 'User' | 'Team' | 'ServiceAccount'): readonly number[] => {
    const objects = call.objects(`iam/${kind}`);
    const subjects = bindings.filter(({ spec }) => spec?.subject.kind === kind);
    const found = subjects.flatMap(({ spec }) => objects.find(spec?.subject.name ?? '') ?? []);
    return found.map((object) => objects.idOf(object)).sort((a, b) => a - b);
  };
  return { role_uid: role, users: ids('User'), teams: ids('Team'), service_accounts: ids('ServiceAccount') };
}

function* bindingsOf(call: LegacyCall, { kind, name }: BindingSubject): Generator<Binding, void, undefined> {
  const prefix = [call.organization.namespace, kind, name];
  const bindings = call.objects<RoleBindingSpec>('iam/RoleBinding').range({ index: BY_SUBJECT, prefix });
  for (const binding of bindings) if (isAssignment(binding)) yield binding;
}

function viewable(call: LegacyCall, { spec }: Binding): readonly Role[] {
  const roles = call.objects<RoleSpec>('iam/Role');
  const role = roles.find(spec?.roleRef.name ?? '');
  return role !== undefined && roles.may('roles:read', role) ? [role as Role] : [];
}

/** Whether it gives a custom role everywhere in the organization. It may wait for the membership of its user. */
function isAssignment(binding: Binding): boolean {
  const { roleRef, scope } = binding.spec ?? {};
  return roleRef?.kind === 'Role' && scope === undefined && !isTerminating(binding);
}

function isOf(subject: BindingSubject, other: BindingSubject | undefined): boolean {
  return subject.kind === other?.kind && subject.name === other.name;
}

function warnGlobal(call: LegacyCall, isGlobal: boolean | null | undefined): void {
  if (isGlobal)
    call.warn([`global: the role is assigned in this organization (${call.organization.id}) and in no other`]);
}

/** What a request replaces: the bindings in this range of an index, below the namespace. */
interface Replaced {
  readonly index: string;
  readonly key: readonly string[];
}

/** Makes the assignments, in one commit, and removes those of the range that `isGoing` accepts and that are not wanted. */
async function change(
  call: LegacyCall,
  wanted: readonly Assignment[],
  isGoing: (binding: Binding) => boolean,
  range?: Replaced,
): Promise<void> {
  const { namespace } = call.organization;
  await call.transact((transaction) => {
    const bindings = transaction.waiting().objects<RoleBindingSpec>('iam/RoleBinding');
    const roles = transaction.objects('iam/Role');
    const isKept = ({ spec }: Binding): boolean =>
      wanted.some(({ role, subject }) => role === spec?.roleRef.name && isOf(subject, spec.subject));
    const present =
      range === undefined ? [] : [...bindings.range({ index: range.index, prefix: [namespace, ...range.key] })];
    for (const binding of present) {
      if (isAssignment(binding) && isGoing(binding) && !isKept(binding)) bindings.delete(binding.metadata.name);
    }
    for (const { role, subject } of wanted) {
      roles.get(role);
      const own = { index: BY_SUBJECT, prefix: [namespace, subject.kind, subject.name] };
      const isThere = [...bindings.range(own)].some((one) => isAssignment(one) && one.spec?.roleRef.name === role);
      const spec: RoleBindingSpec = { subject, roleRef: { kind: 'Role', name: role } };
      if (!isThere) bindings.create({ metadata: { name: bindingName(role, subject) }, spec });
    }
  });
}

function bindingName(role: string, { kind, name }: BindingSubject): string {
  return `role.${role}.${kind.toLowerCase()}.${name}`;
}
