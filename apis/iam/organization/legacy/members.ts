import { z } from 'zod';
import type { LegacyCall } from '../../../../registry/legacy/call.js';
import { plainFailure, requireAction } from '../../../../registry/legacy/errors.js';
import { done, ok } from '../../../../registry/legacy/respond.js';
import { type LegacyHandler, type LegacyRoute, routes } from '../../../../registry/legacy/router.js';
import type { ObjectClient } from '../../../../registry/objects.js';
import { OrganizationRole } from '../../fields.js';
import { pageOf, slicePage } from '../../legacy/lists.js';
import { userBy } from '../../legacy/people.js';
import type { OrganizationBindingSpec } from '../../organizationbinding/schema.js';
import type { UserSpec } from '../../user/schema.js';
import { type Member, memberDto } from './dto.js';
import { MEMBER_ERRORS } from './errors.js';

/** Finds the organization of a route. */
export type Where = (call: LegacyCall) => { readonly id: number; readonly namespace: string };

const AddBody = z.object({ loginOrEmail: z.string().min(1), role: OrganizationRole });
const RoleBody = z.object({ role: OrganizationRole });

const bindingsOf = (call: LegacyCall, namespace: string): ObjectClient<OrganizationBindingSpec> =>
  call.objects<OrganizationBindingSpec>('OrganizationBinding', namespace);

/** The members of an organization: routes below `/org` and `/orgs/:orgId`. */
export function memberRoutes(prefix: '/org' | '/orgs/:orgId', where: Where): readonly LegacyRoute[] {
  const list: LegacyHandler = (call) => ok(membersOf(call, where));
  const search: LegacyHandler = (call) => {
    const found = membersOf(call, where);
    const page = pageOf(call.query);
    return ok({ totalCount: found.length, orgUsers: slicePage(found, page), ...page });
  };
  return routes(
    { errors: MEMBER_ERRORS },
    {
      [`GET ${prefix}/users`]: list,
      [`GET ${prefix}/users/lookup`]: list,
      [`GET ${prefix}/users/search`]: search,
      [`POST ${prefix}/users`]: (call: LegacyCall) => add(call, where),
      [`PATCH ${prefix}/users/:userId`]: (call: LegacyCall) => change(call, where),
      [`DELETE ${prefix}/users/:userId`]: (call: LegacyCall) => remove(call, where),
    },
  );
}

/** The members that the caller may view and that match `query`, by login. */
function membersOf(call: LegacyCall, where: Where): readonly unknown[] {
  const { id, namespace } = where(call);
  const bindings = bindingsOf(call, namespace);
  requireAction(bindings, 'org.users:read');
  const text = (call.query.get('query') ?? '').trim().toLowerCase();
  const found = [...bindings.list()].flatMap((member) => {
    const spec = call.objects<UserSpec>('User').find(member.metadata.name)?.spec;
    const isFound =
      spec !== undefined && [spec.login, spec.email, spec.name].some((one) => one.toLowerCase().includes(text));
    return isFound ? [{ member, login: spec.login }] : [];
  });
  const sorted = found.sort((a, b) => (a.login < b.login ? -1 : 1)).map(({ member }) => memberDto(call, id, member));
  return sorted.filter((one) => one !== undefined);
}

const add = async (call: LegacyCall, where: Where) => {
  const { namespace } = where(call);
  const bindings = bindingsOf(call, namespace);
  requireAction(bindings, 'org.users:add');
  const { loginOrEmail, role } = call.body(AddBody);
  const user = userBy(call, loginOrEmail);
  if (user === undefined) throw plainFailure(404, 'User not found');
  const { name } = user.metadata;
  await bindings.create({ metadata: { name }, spec: { userRef: { name }, role } });
  return done('User added to organization', { userId: call.objects('User').idOf(user) });
};

const change = async (call: LegacyCall, where: Where) => {
  const { bindings, name } = memberOfPath(call, where, 'org.users:write');
  const { role } = call.body(RoleBody);
  await bindings.update(name, (old: Member) => ({ ...old, spec: { userRef: { name }, role } }));
  return done('Organization user updated');
};

const remove = async (call: LegacyCall, where: Where) => {
  const { bindings, name } = memberOfPath(call, where, 'org.users:remove');
  await bindings.delete(name);
  return done('User removed from organization');
};

function memberOfPath(call: LegacyCall, where: Where, action: string) {
  const { namespace } = where(call);
  const bindings = bindingsOf(call, namespace);
  requireAction(bindings, action);
  const user = call.objects<UserSpec>('User').findById(call.id('userId'));
  const member = user && bindings.find(user.metadata.name);
  if (member === undefined) throw plainFailure(404, 'User not found');
  return { bindings, name: member.metadata.name };
}
