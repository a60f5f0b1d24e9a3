import { UNAUTHENTICATED_GROUP } from '../../../pkg/identity/authn/user.js';
import { fold, isSameAddress } from '../../../pkg/kube/meta/fold.js';
import { isTerminating, type KubeObject } from '../../../pkg/kube/meta/types.js';
import { unauthorized } from '../../../pkg/kube/status/errors.js';
import { UID_NAMES } from '../../../registry/kinds/names.js';
import type { LegacyCall } from '../../../registry/legacy/call.js';
import { plainFailure } from '../../../registry/legacy/errors.js';
import { OPERATOR } from '../../authentication/operator.js';
import { BY_USER as IDENTITIES_BY_USER } from '../../internal/externalidentity/schema.js';
import { activeOrganization, type MemberOrganization } from '../active-organization.js';
import { DEFAULT_ORGANIZATION, isUser } from '../names.js';
import type { OrganizationSpec } from '../organization/schema.js';
import { BY_USER, isSuspended, type OrganizationBindingSpec } from '../organizationbinding/schema.js';
import { hasTrustedLogin, hasVerifiedEmail } from '../user/address.js';
import { BY_EMAIL, BY_LOGIN, type UserSpec } from '../user/schema.js';
import { asciiSlug } from './formats.js';

export type User = KubeObject<UserSpec> & { readonly spec: UserSpec };

/** A membership of a user, with its organization. */
export interface Membership extends MemberOrganization {
  readonly title: string;
  readonly role: OrganizationBindingSpec['role'];
}

export const userNotFound = () => plainFailure(404, 'user not found');

/** In older releases, only numbers were ids. For another text, clients know this answer, with a capital letter. */
const userNotNamed = () => plainFailure(404, 'User not found');

/** The user of the path, by id or uid. Throws 404. Checks no permission. */
export function userOfPath(call: LegacyCall, parameter: string): User {
  const text = call.param(parameter);
  const users = call.objects<UserSpec>('iam/User');
  if (/^[0-9]{1,15}$/.test(text)) return known(users.findById(Number(text)));
  const peek = peekNamed(call, text);
  if (peek === undefined) throw userNotNamed();
  return known(peek);
}

function peekNamed(call: LegacyCall, name: string): KubeObject<UserSpec> | undefined {
  const isName = UID_NAMES.pattern.test(name) && name.length <= UID_NAMES.maxLength;
  return isName ? call.objects<UserSpec>('iam/User').find(name) : undefined;
}

function known(user: KubeObject<UserSpec> | undefined): User {
  if (user?.spec === undefined) throw userNotFound();
  return user as User;
}

export function userNamed(call: LegacyCall, name: string): User | undefined {
  return call.objects<UserSpec>('iam/User').find(name) as User | undefined;
}

export function userById(call: LegacyCall, id: number): User {
  return known(call.objects<UserSpec>('iam/User').findById(id));
}

/** The user by login, otherwise by e-mail address, ignoring case. */
export function userBy(call: LegacyCall, loginOrEmail: string): User | undefined {
  return one(call, BY_LOGIN, loginOrEmail) ?? one(call, BY_EMAIL, loginOrEmail);
}

/**
 * The user who is to get rights and is named by an address, or by a login. Users may take any address that nobody has,
 * so an address that a user has set finds nobody. What a provider tells, and what administrators set, does.
 */
export function userToTrust(call: LegacyCall, loginOrEmail: string): User | undefined {
  const user = one(call, BY_LOGIN, loginOrEmail);
  if (user === undefined) return userByTrustedEmail(call, loginOrEmail);
  return hasTrustedLogin(user) || isLinked(call, user.metadata.name) ? user : undefined;
}

export function userByTrustedEmail(call: LegacyCall, email: string): User | undefined {
  const user = one(call, BY_EMAIL, email);
  if (user === undefined || !isSameAddress(user.spec.email, email.trim())) return undefined;
  return hasVerifiedEmail(user) || isLinked(call, user.metadata.name) ? user : undefined;
}

/** Whether the user signs in by a provider, which decides about the address. */
function isLinked(call: LegacyCall, user: string): boolean {
  if (!call.hasKind('internal/ExternalIdentity')) return false;
  const range = { index: IDENTITIES_BY_USER, prefix: [user] };
  return call.objects('internal/ExternalIdentity').range(range).next().done !== true;
}

function one(call: LegacyCall, index: string, text: string): User | undefined {
  const key = fold(text.trim());
  if (key === '') return undefined;
  const [found] = call.objects<UserSpec>('iam/User').range({ index, prefix: [key] });
  return found as User | undefined;
}

/**
 * The caller as a user. Throws 401 for anonymous callers, 404 for other callers who are not users, such as service
 * accounts.
 */
export function caller(call: LegacyCall): User {
  if (call.user.groups.includes(UNAUTHENTICATED_GROUP)) throw unauthorized();
  const user = peekNamed(call, call.user.uid);
  if (user === undefined || !isUser(call.user, user.metadata.name)) throw userNotFound();
  return known(user);
}

/** The memberships of a user, in the order of the titles of the organizations. */
export function membershipsOf(call: LegacyCall, user: string): readonly Membership[] {
  const organizations = call.objects<OrganizationSpec>('iam/Organization');
  const bindings = call.objects<OrganizationBindingSpec>('iam/OrganizationBinding', DEFAULT_ORGANIZATION);
  return [...bindings.range({ index: BY_USER, prefix: [user] })]
    .flatMap((membership): readonly Membership[] => {
      const { metadata, spec } = membership;
      const organization = organizations.find(metadata.namespace ?? '');
      if (organization === undefined || spec === undefined) return [];
      if (isTerminating(membership) || isSuspended(membership) || isTerminating(organization)) return [];
      const { name } = organization.metadata;
      const id = organizations.idOf(organization);
      return [{ namespace: name, id, title: organization.spec?.title ?? name, role: spec.role }];
    })
    .sort((a, b) => a.title.localeCompare(b.title, 'en') || a.id - b.id);
}

/** The membership of the organization that a user works in. */
export function activeMembership(call: LegacyCall, { metadata, spec }: User): Membership | undefined {
  return activeOrganization(spec.activeOrganization, membershipsOf(call, metadata.name));
}

/** The prefix and the name of an identity. The name of the operator has a colon, too. */
export function partsOf(identity: string): readonly [prefix: string, name: string] {
  const [, prefix = '', name = ''] = /^([^:]*):(.*)$/s.exec(identity) ?? [];
  return [prefix, name];
}

const UNKNOWN = 'Anonymous';

/** The login of an identity (`user:<uid>`, `service-account:<name>`), or `Anonymous` if it does not exist. */
export function loginOf(call: LegacyCall, identity = ''): string {
  const [kind, name] = partsOf(identity);
  if (kind === 'user' && name === OPERATOR.uid) return OPERATOR.name;
  if (kind === 'user' && call.hasKind('iam/User'))
    return call.objects<UserSpec>('iam/User').find(name)?.spec?.login ?? UNKNOWN;
  if (kind !== 'service-account' || !call.hasKind('iam/ServiceAccount')) return UNKNOWN;
  const accounts = call.objects<{ readonly title: string }>('iam/ServiceAccount');
  const account = accounts.find(name);
  return account?.spec === undefined ? UNKNOWN : serviceAccountLogin(accounts.idOf(account), account.spec.title);
}

export function serviceAccountLogin(id: number, title: string): string {
  return `sa-${id}-${asciiSlug(title)}`;
}
