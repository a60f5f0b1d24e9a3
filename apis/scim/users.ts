import type { ApiResponse } from '../../pkg/http/handler.js';
import { fold } from '../../pkg/kube/meta/fold.js';
import { ulidGenerator } from '../../pkg/kube/meta/ulid.js';
import { immutable, ScimError } from '../../pkg/scim/errors.js';
import { checkPreconditions, isUnchanged } from '../../pkg/scim/etag.js';
import type { Resource } from '../../pkg/scim/match.js';
import { patched, readPatch } from '../../pkg/scim/patch.js';
import { projected } from '../../pkg/scim/projection.js';
import { projectionOf } from '../../pkg/scim/query.js';
import { readResource, requireAttributes } from '../../pkg/scim/resource.js';
import { USER } from '../../pkg/scim/schema.js';
import { isEntryEffective } from '../../registry/kinds/ready-condition.js';
import { type Entry, nameOf, objectOf } from '../../registry/read/reader.js';
import { BY_EXTERNAL_UID, type OrganizationBindingSpec } from '../iam/organizationbinding/schema.js';
import { BY_EMAIL, BY_LOGIN, BY_NAME, type UserSpec } from '../iam/user/schema.js';
import { addressesIn, addressesOf } from './adoption.js';
import type { ScimCall, Writing } from './call.js';
import type { Collection } from './list.js';
import { type Member, memberNamed, memberOf, userResource, writableOf } from './member.js';
import { createMember, passwordHash, removeMember, type Update, updateMember } from './write-user.js';

const newUid = ulidGenerator();

/** The members of the organization that are there. */
export function userCollection(call: ScimCall): Collection {
  const bindings = call.objects<OrganizationBindingSpec>('iam/OrganizationBinding');
  const users = call.objects<UserSpec>('iam/User');
  const named = (names: Iterable<string>): readonly Entry[] =>
    [...names].flatMap((name) => bindings.entry(name) ?? []).filter(isEntryEffective);
  const byUser = (index: string, value: string): readonly Entry[] =>
    named([...users.entries({ index, prefix: [fold(value)] })].map(nameOf));
  return {
    schema: USER,
    *all() {
      for (const entry of bindings.entries()) if (isEntryEffective(entry)) yield entry;
    },
    indexed: new Set(['id', 'externalId', 'userName', 'emails.value', 'displayName']),
    found: (path, value) => {
      if (path === 'id') return named([value]);
      if (path === 'externalId')
        return [...bindings.entries({ index: BY_EXTERNAL_UID, prefix: [call.namespace, value] })].filter(
          isEntryEffective,
        );
      return byUser(path === 'userName' ? BY_LOGIN : path === 'displayName' ? BY_NAME : BY_EMAIL, value);
    },
    resource: (entry, has) => {
      const member = memberOf(call, objectOf<OrganizationBindingSpec>(entry));
      return member && userResource(call, call, member, has);
    },
  };
}

export async function createUser(call: ScimCall): Promise<ApiResponse> {
  const resource = readResource(call.body(), USER, call.onIgnored);
  requireAttributes(resource, USER);
  const hash = await passwordHash(call, resource);
  const name = newUid();
  const created = await call.transact((writing) => {
    const member = createMember(call, writing, name, resource, hash);
    return userResource(call, writing, member);
  });
  return shown(call, 201, created);
}

export function getUser(call: ScimCall, id: string): ApiResponse {
  const member = required(memberNamed(call, id));
  const resource = userResource(call, call, member);
  const version = versionOf(resource);
  if (isUnchanged(call.request.headers, version)) return call.answer(304, undefined, { etag: version });
  return shown(call, 200, resource);
}

export async function replaceUser(call: ScimCall, id: string): Promise<ApiResponse> {
  required(memberNamed(call, id));
  const resource = readResource(call.body(), USER, call.onIgnored);
  requireAttributes(resource, USER);
  const hash = await passwordHash(call, resource);
  return changed(call, id, () => ({ resource, hash, sentAddresses: addressesOf(resource) }));
}

export async function patchUser(call: ScimCall, id: string): Promise<ApiResponse> {
  const member = required(memberNamed(call, id));
  const changes = readPatch(call.body(), USER, call.onIgnored);
  if (changes.some(({ attribute, value }) => attribute.name === 'password' && value === undefined))
    throw immutable('password cannot be removed: set another one, or active: false');
  const after = (current: Member): Resource => {
    const resource = patched(writableOf(current), changes);
    requireAttributes(resource, USER);
    return resource;
  };
  const hash = await passwordHash(call, after(member));
  const sentAddresses = addressesIn(changes);
  return changed(call, id, (current) => ({ resource: after(current), hash, sentAddresses }));
}

/** The change is evaluated on the state on which it commits, and so are the preconditions. */
async function changed(call: ScimCall, id: string, updateOf: (member: Member) => Update): Promise<ApiResponse> {
  const resource = await call.transact((writing) => {
    const member = current(call, writing, id);
    const next = updateMember(call, writing, member, updateOf(member));
    return userResource(call, writing, next);
  });
  return shown(call, 200, resource);
}

export async function deleteUser(call: ScimCall, id: string): Promise<ApiResponse> {
  await call.transact((writing) => removeMember(call, writing, current(call, writing, id)));
  return call.answer(204, undefined);
}

function current(call: ScimCall, writing: Writing, id: string): Member {
  const member = required(memberNamed(writing, id));
  checkPreconditions(call.request.headers, () => versionOf(userResource(call, writing, member)));
  return member;
}

function required(member: Member | undefined): Member {
  if (member === undefined) throw new ScimError(404, undefined, 'there is no such user in the organization');
  return member;
}

const versionOf = (resource: Resource): string => (resource['meta'] as { readonly version: string }).version;

function shown(call: ScimCall, status: number, resource: Resource): ApiResponse {
  const { location, version } = resource['meta'] as { readonly location: string; readonly version: string };
  const which = projectionOf(call.request.query, USER);
  return call.answer(status, projected(resource, which, USER), { etag: version, location });
}
