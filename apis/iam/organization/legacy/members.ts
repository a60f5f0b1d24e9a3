import { z } from 'zod';
import type { ObjectClient } from '../../../../registry/client/objects.js';
import { isEffective } from '../../../../registry/kinds/ready-condition.js';
import { positive } from '../../../../registry/legacy/body.js';
import type { LegacyCall } from '../../../../registry/legacy/call.js';
import { plainFailure, requireAction } from '../../../../registry/legacy/errors.js';
import { deleted, done, ok } from '../../../../registry/legacy/respond.js';
import { type LegacyHandler, type LegacyRoute, routes } from '../../../../registry/legacy/router.js';
import { givesPermissions } from '../../legacy/gives-permissions.js';
import { pageOf, slicePage } from '../../legacy/lists.js';
import { type User, userByTrustedEmail, userToTrust } from '../../legacy/people.js';
import { LegacyRole } from '../../legacy/roles.js';
import type { OrganizationBindingSpec } from '../../organizationbinding/schema.js';
import type { UserSpec } from '../../user/schema.js';
import { MEMBER_ADDED, MEMBER_PAGE, MEMBERS, MEMBERS_TO_CHOOSE } from './answers.js';
import { memberDto, ORGANIZATION_ANSWERED, type OrganizationMember } from './dto.js';
import { MEMBER_ERRORS } from './errors.js';
import { ORGANIZATION_NOTES } from './notes.js';

/** Finds the organization of a route. `namespace` is undefined if no organization has the id. */
export type OrganizationOf = (call: LegacyCall) => { readonly id: number; readonly namespace: string | undefined };

const AddBody = z.object({ loginOrEmail: z.string().min(1), role: LegacyRole });
const RoleBody = z.object({ role: LegacyRole });

const bindingsOf = (call: LegacyCall, namespace: string): ObjectClient<OrganizationBindingSpec> =>
  call.objects<OrganizationBindingSpec>('iam/OrganizationBinding', namespace);

/** The most users that one request may name. */
const MOST_UIDS = 100;

/** No organization has this name, so only callers who may do everything have permissions in it. */
const NOWHERE = '.';

/**
 * The memberships of the organization. Throws 403 unless the caller has the action there, and then 404 if there is no
 * such organization: others must not find out which ones exist.
 */
function membershipsFor(call: LegacyCall, where: OrganizationOf, action: string) {
  const { id, bindings } = placeOf(call, where);
  requireAction(bindings, action);
  if (bindings.namespace === NOWHERE) throw plainFailure(404, 'Organization not found');
  return { id, bindings };
}

function placeOf(call: LegacyCall, where: OrganizationOf) {
  const { id, namespace = NOWHERE } = where(call);
  return { id, bindings: bindingsOf(call, namespace) };
}

/**
 * The members for callers who may not view them, but give them permissions: only what they need for that, and neither
 * addresses nor pictures, because the path of a picture is a hash that confirms a guessed address.
 */
function loginsOf(call: LegacyCall, bindings: ReturnType<typeof bindingsOf>): readonly unknown[] {
  const text = (call.query.get('query') ?? '').trim().toLowerCase();
  const uids = call.query.getAll('uid');
  const users = call.objects<UserSpec>('iam/User');
  return [...bindings.range()]
    .filter((binding) => isEffective(binding) && (uids.length === 0 || uids.includes(binding.metadata.name)))
    .flatMap(({ metadata }) => {
      const user = users.find(metadata.name);
      if (user?.spec === undefined) return [];
      const { login, name } = user.spec;
      if (![login, name].some((value) => value.toLowerCase().includes(text))) return [];
      return [{ uid: metadata.name, userId: users.idOf(user), login, name, avatarUrl: '' }];
    })
    .sort((a, b) => (a.login < b.login ? -1 : 1));
}

/** The members of an organization: routes below `/org` and `/orgs/:orgId`. */
export function memberRoutes(prefix: '/org' | '/orgs/:orgId', where: OrganizationOf): readonly LegacyRoute[] {
  const list: LegacyHandler = (call) => {
    const limit = positive(call.query, 'limit', Number.POSITIVE_INFINITY);
    return ok(membersOf(call, where).slice(0, limit));
  };
  const lookup: LegacyHandler = (call) => {
    const { bindings } = placeOf(call, where);
    if (bindings.may('org.users:read') || !givesPermissions(call, bindings.namespace)) return list(call);
    const limit = positive(call.query, 'limit', Number.POSITIVE_INFINITY);
    return ok(loginsOf(call, bindings).slice(0, limit));
  };
  const search: LegacyHandler = (call) => {
    const members = membersOf(call, where);
    const page = pageOf(call.query);
    return ok({ totalCount: members.length, orgUsers: slicePage(members, page), ...page });
  };
  return routes(
    { notes: ORGANIZATION_NOTES, errors: MEMBER_ERRORS, answerMembers: ORGANIZATION_ANSWERED },
    {
      [`GET ${prefix}/users`]: {
        answer: MEMBERS,
        summary: 'Lists the members of an organization',
        query: ['query', 'uid', 'limit'],
        lists: ['uid'],
        handle: list,
      },
      [`GET ${prefix}/users/lookup`]: {
        answer: MEMBERS_TO_CHOOSE,
        summary: 'Lists the members of an organization for people who give permissions',
        query: ['query', 'uid', 'limit'],
        lists: ['uid'],
        handle: lookup,
      },
      [`GET ${prefix}/users/search`]: {
        answer: MEMBER_PAGE,
        summary: 'Searches the members of an organization',
        query: ['query', 'uid', 'page', 'perpage'],
        lists: ['uid'],
        handle: search,
      },
      [`POST ${prefix}/users`]: {
        answer: MEMBER_ADDED,
        summary: 'Adds a member to an organization',
        body: AddBody,
        handle: (call: LegacyCall) => add(call, where),
      },
      [`PATCH ${prefix}/users/:userId`]: {
        summary: 'Changes the role of a member of an organization',
        body: RoleBody,
        handle: (call: LegacyCall) => change(call, where),
      },
      [`DELETE ${prefix}/users/:userId`]: {
        summary: 'Removes a member of an organization',
        handle: (call: LegacyCall) => remove(call, where),
      },
    },
  );
}

/** The members that the caller may view and that match `query`, by login. With `uid`: of these users. */
function membersOf(call: LegacyCall, where: OrganizationOf): readonly unknown[] {
  const { id, bindings } = membershipsFor(call, where, 'org.users:read');
  const text = (call.query.get('query') ?? '').trim().toLowerCase();
  const found = candidatesOf(call, bindings)
    .filter((candidate) => isEffective(candidate))
    .flatMap((member) => {
      const spec = call.objects<UserSpec>('iam/User').find(member.metadata.name)?.spec;
      const isFound =
        spec !== undefined && [spec.login, spec.email, spec.name].some((value) => value.toLowerCase().includes(text));
      return isFound ? [{ member, login: spec.login }] : [];
    });
  const sorted = found.sort((a, b) => (a.login < b.login ? -1 : 1)).map(({ member }) => memberDto(call, id, member));
  return sorted.filter((member) => member !== undefined);
}

/** `?uid=` may be repeated, so that a client that knows some users need not read all members. */
function candidatesOf(call: LegacyCall, bindings: ReturnType<typeof bindingsOf>): readonly OrganizationMember[] {
  const uids = new Set(call.query.getAll('uid'));
  if (uids.size === 0) return [...bindings.list()];
  if (uids.size > MOST_UIDS) throw plainFailure(400, `uid: must not be given more than ${MOST_UIDS} times`);
  return [...uids].flatMap((uid) => {
    const member = bindings.find(uid);
    return member !== undefined && bindings.may('org.users:read', member) ? [member] : [];
  });
}

const add = async (call: LegacyCall, where: OrganizationOf) => {
  const { bindings } = membershipsFor(call, where, 'org.users:add');
  const { loginOrEmail, role } = call.body(AddBody);
  const user = userToAdd(call, bindings, loginOrEmail);
  if (user === undefined) throw plainFailure(404, 'User not found');
  const { name } = user.metadata;
  await bindings.create({ metadata: { name }, spec: { userRef: { name }, role } });
  return done('User added to organization', { userId: call.objects('iam/User').idOf(user) });
};

/**
 * The user to add. Callers who may not view users must give the e-mail address. With a login, they could guess logins,
 * and would learn the addresses of these users from the list of members. To them, other logins are like unknown users.
 */
function userToAdd(call: LegacyCall, bindings: ReturnType<typeof bindingsOf>, loginOrEmail: string): User | undefined {
  const user = userToTrust(call, loginOrEmail);
  if (user === undefined || call.objects('iam/User').may('users:read', user)) return user;
  const isMember = bindings.find(user.metadata.name) !== undefined;
  return isMember ? user : userByTrustedEmail(call, loginOrEmail);
}

const change = async (call: LegacyCall, where: OrganizationOf) => {
  const { bindings, name, orgId, isDisabled } = memberOfPath(call, where, 'org.users:write');
  const { role } = call.body(RoleBody);
  call.keeps({ orgId, isDisabled });
  await bindings.update(name, (old: OrganizationMember) => ({
    ...old,
    spec: { ...(old.spec as OrganizationBindingSpec), role },
  }));
  return done('Organization user updated');
};

const remove = async (call: LegacyCall, where: OrganizationOf) => {
  const { bindings, name } = memberOfPath(call, where, 'org.users:remove');
  return deleted(await bindings.delete(name), 'User removed from organization');
};

function memberOfPath(call: LegacyCall, where: OrganizationOf, action: string) {
  const { id: orgId, bindings } = membershipsFor(call, where, action);
  const user = call.objects<UserSpec>('iam/User').findById(call.id('userId'));
  const member = user && bindings.find(user.metadata.name);
  if (member === undefined || !isEffective(member)) throw plainFailure(404, 'User not found');
  return { bindings, name: member.metadata.name, orgId, isDisabled: user?.spec?.disabled };
}
