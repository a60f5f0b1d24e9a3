import { z } from 'zod';
import { arrayOf } from '../../../../pkg/kube/meta/bounded.js';
import { isTerminating, type KubeObject } from '../../../../pkg/kube/meta/types.js';
import { flag } from '../../../../registry/legacy/body.js';
import type { LegacyCall } from '../../../../registry/legacy/call.js';
import { type ErrorRule, plainFailure, requireAction } from '../../../../registry/legacy/errors.js';
import { done, ok } from '../../../../registry/legacy/respond.js';
import { type LegacyHandler, type LegacyRoute, routes } from '../../../../registry/legacy/router.js';
import { noMember } from '../../rolebinding/legacy/permissions.js';
import { personSubject, type Reference, referenceIn, teamSubject } from '../../rolebinding/legacy/subjects.js';
import {
  type BindingSubject,
  BY_ROLE,
  BY_SUBJECT,
  type RoleBindingSpec,
  roleNamespace,
} from '../../rolebinding/schema.js';
import type { RoleSpec } from '../schema.js';
import { ASSIGNMENTS, ROLES } from './answers.js';
import { ROLE_ANSWERED, type Role, roleDto } from './dto.js';
import { isSameRole, type RoleRef, refTo, roleFor } from './global.js';
import { ROLE_NOTES } from './notes.js';

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
  readonly role: RoleRef;
  readonly subject: BindingSubject;
}

type Binding = KubeObject<RoleBindingSpec>;
type SubjectOfPath = (call: LegacyCall) => BindingSubject;

/**
 * Who has a role, and which roles a user, a service account or a team has. An assignment is a RoleBinding without a
 * scope.
 */
export function assignmentRoutes(): readonly LegacyRoute[] {
  return routes(
    { notes: ROLE_NOTES, errors: ERRORS, fallback: 'Failed to update role assignments', answerMembers: ROLE_ANSWERED },
    {
      'GET /access-control/roles/:uid/assignments': {
        answer: ASSIGNMENTS,
        summary: 'Lists who has a role',
        handle: listSubjects,
      },
      'PUT /access-control/roles/:uid/assignments': {
        answer: ASSIGNMENTS,
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
 * A user may get roles before becoming a member. To callers who may not view the user, users of other organizations are
 * like unknown ones.
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
    refuseEverywhere(global);
    const role = refTo(roleFor(call, 'get', roleUid));
    await change(call, [{ role, subject: subjectOfPath(call) }], () => false);
    return done(`Role added to the ${word}.`);
  };
  const replace: LegacyHandler = async (call) => {
    requireAction(call.objects('iam/Role'), 'roles:write');
    const { roleUids, global, includeHidden } = call.body(RolesBody);
    refuseEverywhere(global);
    const subject = subjectOfPath(call);
    // A client that does not see the hidden roles does not mean to remove them.
    const isMeant = (binding: Binding): boolean =>
      includeHidden === true || boundRole(call, binding)?.spec?.hidden !== true;
    await change(
      call,
      (roleUids ?? []).map((uid) => ({ role: refTo(roleFor(call, 'get', uid)), subject })),
      (binding) => isOf(subject, binding.spec?.subject) && isMeant(binding),
      { index: BY_SUBJECT, key: [subject.kind, subject.name] },
    );
    return done(`${capital} roles have been updated.`);
  };
  const remove: LegacyHandler = async (call) => {
    requireAction(call.objects('iam/Role'), 'roles:write');
    refuseEverywhere(flag(call.query, 'global'));
    const subject = subjectOfPath(call);
    const role = refTo(roleFor(call, 'get', call.param('uid')));
    const { namespace } = call.organization;
    await change(call, [], ({ spec }) => isOf(subject, spec?.subject) && isSameRole(role, spec?.roleRef, namespace), {
      index: BY_ROLE,
      key: [role.name],
    });
    return done(`Role removed from ${word}.`);
  };
  return {
    [`GET ${path}`]: { answer: ROLES, summary: `Lists the roles of a ${word}`, query: ['includeHidden'], handle: list },
    [`POST ${path}`]: { summary: `Gives a role to a ${word}`, body: RoleBody, handle: add },
    [`PUT ${path}`]: { summary: `Replaces the roles of a ${word}`, body: RolesBody, handle: replace },
    [`DELETE ${path}/:uid`]: { summary: `Takes a role from a ${word}`, query: ['global'], handle: remove },
  };
}

const listSubjects: LegacyHandler = (call) => ok(assignmentsDto(call, refTo(roleFor(call, 'get', call.param('uid')))));

const setSubjects: LegacyHandler = async (call) => {
  const role = refTo(roleFor(call, 'give', call.param('uid')));
  const { namespace } = call.organization;
  const body = call.body(AssignmentsBody, { role_uid: role.name });
  const people = [...(body.users ?? []), ...(body.service_accounts ?? [])].map((id) => knownPerson(call, id));
  const teams = (body.teams ?? []).map((id) => teamSubject(call, id, 404));
  const wanted = [...people, ...teams].map((subject) => ({ role, subject }));
  await change(
    call,
    wanted,
    ({ spec }) => spec?.subject.kind !== 'BasicRole' && isSameRole(role, spec?.roleRef, namespace),
    { index: BY_ROLE, key: [role.name] },
  );
  return ok(assignmentsDto(call, role));
};

function assignmentsDto(call: LegacyCall, role: RoleRef): unknown {
  const { namespace } = call.organization;
  const named = { index: BY_ROLE, prefix: [namespace, role.name] };
  const bindings = [...call.objects<RoleBindingSpec>('iam/RoleBinding').range(named)].filter(
    (binding) => isAssignment(binding) && isSameRole(role, binding.spec?.roleRef, namespace),
  );
  const ids = (kind: 'User' | 'Team' | 'ServiceAccount'): readonly number[] => {
    const objects = call.objects(`iam/${kind}`);
    const subjects = bindings.filter(({ spec }) => spec?.subject.kind === kind);
    const assigned = subjects.flatMap(({ spec }) => objects.find(spec?.subject.name ?? '') ?? []);
    return assigned.map((object) => objects.idOf(object)).sort((a, b) => a - b);
  };
  return { role_uid: role.name, users: ids('User'), teams: ids('Team'), service_accounts: ids('ServiceAccount') };
}

function* bindingsOf(call: LegacyCall, { kind, name }: BindingSubject): Generator<Binding, void, undefined> {
  const prefix = [call.organization.namespace, kind, name];
  const bindings = call.objects<RoleBindingSpec>('iam/RoleBinding').range({ index: BY_SUBJECT, prefix });
  for (const binding of bindings) if (isAssignment(binding)) yield binding;
}

function viewable(call: LegacyCall, binding: Binding): readonly Role[] {
  const role = boundRole(call, binding);
  return role !== undefined && call.objects('iam/Role').may('roles:read', role) ? [role as Role] : [];
}

function boundRole(call: LegacyCall, { spec }: Binding): KubeObject<RoleSpec> | undefined {
  if (spec === undefined) return undefined;
  const place = roleNamespace(spec.roleRef, call.organization.namespace);
  return call.objects<RoleSpec>('iam/Role', place).find(spec.roleRef.name);
}

/** Whether it gives a custom role everywhere in the organization. It may wait for the membership of its user. */
function isAssignment(binding: Binding): boolean {
  const { roleRef, scope } = binding.spec ?? {};
  return roleRef !== undefined && roleRef.kind !== 'BuiltIn' && scope === undefined && !isTerminating(binding);
}

function isOf(subject: BindingSubject, other: BindingSubject | undefined): boolean {
  return subject.kind === other?.kind && subject.name === other.name;
}

/** Clients mean an assignment in all organizations at once, of which this server has none. */
function refuseEverywhere(isGlobal: boolean | null | undefined): void {
  if (isGlobal) throw plainFailure(400, 'global: an assignment holds in one organization. Make one in each of them');
}

/** What a request replaces: the bindings in this range of an index, below the namespace. */
interface Replaced {
  readonly index: string;
  readonly key: readonly string[];
}

/**
 * Makes the assignments, in one commit, and removes those of the range that `isGoing` accepts and that are not wanted.
 */
async function change(
  call: LegacyCall,
  wanted: readonly Assignment[],
  isGoing: (binding: Binding) => boolean,
  range?: Replaced,
): Promise<void> {
  const { namespace } = call.organization;
  await call.transactInSteps(function* (transaction) {
    const bindings = transaction.waiting().objects<RoleBindingSpec>('iam/RoleBinding');
    const isKept = ({ spec }: Binding): boolean =>
      wanted.some(({ role, subject }) => isSameRole(role, spec?.roleRef, namespace) && isOf(subject, spec?.subject));
    const present =
      range === undefined ? [] : [...bindings.range({ index: range.index, prefix: [namespace, ...range.key] })];
    for (const binding of present) {
      if (isAssignment(binding) && isGoing(binding) && !isKept(binding)) bindings.delete(binding.metadata.name);
      yield;
    }
    for (const { role, subject } of wanted) {
      roleFor(transaction, 'get', role.name);
      const own = { index: BY_SUBJECT, prefix: [namespace, subject.kind, subject.name] };
      const isThere = [...bindings.range(own)].some(
        (binding) => isAssignment(binding) && isSameRole(role, binding.spec?.roleRef, namespace),
      );
      const spec: RoleBindingSpec = { subject, roleRef: role };
      if (!isThere) bindings.create({ metadata: { name: bindingName(role, subject) }, spec });
      yield;
    }
  });
}

function bindingName(role: RoleRef, { kind, name }: BindingSubject): string {
  return `${role.kind.toLowerCase()}.${role.name}.${kind.toLowerCase()}.${name}`;
}
