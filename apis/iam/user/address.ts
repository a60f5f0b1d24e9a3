import { MASTERS_GROUP, SERVER_NAME } from '../../../pkg/identity/authn/user.js';
import { fold, isSameAddress } from '../../../pkg/kube/meta/fold.js';
import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import { forbidden, type GroupResource } from '../../../pkg/kube/status/errors.js';
import type { StatusCause } from '../../../pkg/kube/status/status.js';
import type { WriteContext } from '../../../registry/kinds/strategy.js';
import { isUser } from '../names.js';
import type { UserSpec } from './schema.js';

type User = KubeObject<UserSpec>;

/**
 * Whether the e-mail address of a user may find the account for somebody who proves to have the address: a provider
 * verified it, or an administrator set it. Before version 1.0, the server did not note who set an address, so it is
 * known only of users that were never changed.
 */
export function hasVerifiedEmail({ metadata, spec }: KubeObject): boolean {
  const { emailVerified = metadata.generation === 1 } = spec as UserSpec;
  return emailVerified;
}

/** Whether the login of a user has the form of an e-mail address. */
function isAddress(login: string): boolean {
  return login.includes('@');
}

/**
 * Whether the login may find the account of a user for somebody whom an issuer calls so. Users may take their own
 * address as login, and administrators of an organization may create accounts with any login that is free.
 */
export function hasTrustedLogin(user: KubeObject): boolean {
  const { login, email, createdIn } = user.spec as UserSpec;
  const isChosen = createdIn !== undefined || (isAddress(login) && fold(login) === fold(email));
  return !isChosen || hasVerifiedEmail(user);
}

/**
 * The user with `emailVerified`. Administrators of the server say it explicitly, or by setting the address of somebody
 * else. All others lose it with a new address. Throws Forbidden for others who say that an address is verified.
 */
export function withVerification(gr: GroupResource, user: User, old: User | undefined, ctx: WriteContext): User {
  const { spec } = user;
  if (spec === undefined) return user;
  const emailVerified = isVerifiedBy(gr, user, old, ctx);
  return spec.emailVerified === emailVerified ? user : { ...user, spec: { ...spec, emailVerified } };
}

function isVerifiedBy(gr: GroupResource, user: User, old: User | undefined, ctx: WriteContext): boolean {
  const said = user.spec?.emailVerified;
  // A provisioning system decides about addresses as administrators do: only they can give it the permission.
  const isAdministrator = ctx.user.groups.includes(MASTERS_GROUP) || ctx.isProvisioning === true;
  if (old === undefined) return newlySaid(gr, user, said, isAdministrator) ?? isAdministrator;
  const before = hasVerifiedEmail(old);
  // The server says it of each address that a provider tells.
  if (ctx.user.name === SERVER_NAME && said !== undefined) return said;
  if (said !== undefined && said !== (old.spec?.emailVerified ?? before))
    return newlySaid(gr, user, said, isAdministrator) ?? false;
  if (isSameAddress(user.spec?.email ?? '', old.spec?.email ?? '')) return before;
  const isVerified = isAdministrator && !isUser(ctx.user, user.metadata.name);
  if (said !== undefined && said !== isVerified)
    ctx.warn?.(`spec.emailVerified: is now ${isVerified}, because ${isVerified ? BY_ADMINISTRATOR : BY_OTHERS}`);
  return isVerified;
}

const BY_ADMINISTRATOR = 'a server administrator has set the e-mail address';
const BY_OTHERS = 'the e-mail address is new. A server administrator can say that it is verified';

function newlySaid(
  gr: GroupResource,
  user: User,
  said: boolean | undefined,
  isAdministrator: boolean,
): boolean | undefined {
  if (said !== true || isAdministrator) return said;
  throw forbidden(gr, user.metadata.name, 'only server administrators say that an e-mail address is verified');
}

/**
 * Users who change themselves take no login that is the address of somebody else, who may come later. A login that was
 * an address of their own changes together with it, unless the address was verified.
 */
export function foreignLogin(
  user: User,
  old: User | undefined,
  { user: caller }: WriteContext,
): readonly StatusCause[] {
  if (old?.spec === undefined || user.spec === undefined) return [];
  if (!isUser(caller, user.metadata.name) || caller.groups.includes(MASTERS_GROUP)) return [];
  const login = fold(user.spec.login);
  const isOwn =
    login === fold(user.spec.email) ||
    (login === fold(old.spec.email) && hasVerifiedEmail(old)) ||
    (login === fold(old.spec.login) && hasTrustedLogin(old));
  return isAddress(login) && !isOwn ? [FOREIGN] : [];
}

const FOREIGN: StatusCause = {
  reason: 'FieldValueInvalid',
  message: 'a login with "@" must be the e-mail address of the user. Choose another login, or change both together',
  field: 'spec.login',
};
