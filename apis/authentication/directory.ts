import { LRUCache } from 'lru-cache';
import { CREDENTIAL_ID, MASTERS_GROUP, type UserInfo } from '../../pkg/identity/authn/user.js';
import { fold, isSameAddress } from '../../pkg/kube/meta/fold.js';
import { isTerminating, type KubeObject } from '../../pkg/kube/meta/types.js';
import { internalIdOf } from '../../registry/kinds/fields.js';
import { activeOrganization, organizationKey } from '../iam/active-organization.js';
import { SERVICE_ACCOUNT_PREFIX } from '../iam/names.js';
import { BY_USER, isSuspended } from '../iam/organizationbinding/schema.js';
import type { ServiceAccountSpec } from '../iam/serviceaccount/schema.js';
import { hasTrustedLogin, hasVerifiedEmail } from '../iam/user/address.js';
import { BY_EMAIL, BY_LOGIN, type UserSpec } from '../iam/user/schema.js';
import type { IdentityServices } from './services.js';

/**
 * Finds the callers that are stored as objects. Unknown, disabled and terminating ones are not found. A caller is the
 * same JavaScript object while nothing of it changes.
 */
export interface Directory {
  /** By login, otherwise by e-mail address. No login is the address of another user. */
  userByLogin(login: string): UserInfo | undefined;
  /**
   * By login alone, for somebody whom an issuer or a certificate calls so. A login that is an address must be verified.
   */
  userByExactLogin(login: string): UserInfo | undefined;
  /** By e-mail address, for somebody who has proved to have it. Addresses that nobody has verified find no user. */
  userByEmail(email: string): UserInfo | undefined;
  /** By metadata.name. */
  user(uid: string): UserInfo | undefined;
  serviceAccount(namespace: string, name: string): UserInfo | undefined;
}

/** The most logins whose users are cached. */
const REMEMBERED = 1000;

/** The user of a login. It is valid while both versions are current. */
interface CachedUser {
  readonly versions: readonly [users: object, bindings: object];
  readonly info: UserInfo | undefined;
}

export function directory(services: IdentityServices): Directory {
  const { domain, resource } = services;
  const users = resource('iam/users');
  const stored = storedUsers(services);
  const bindings = resource('iam/organizationbindings');
  const organizations = resource('iam/organizations');
  const extraKey = organizationKey(domain);
  const known = new WeakMap<KubeObject, { readonly version: object; readonly info: UserInfo }>();

  const infoOf = (object: KubeObject | undefined): UserInfo | undefined => {
    if (object === undefined || (object.spec as UserSpec).disabled || isTerminating(object)) return undefined;
    const version = services.reader.version(bindings);
    const cached = known.get(object);
    if (cached?.version === version) return cached.info;
    const info = keepIfEqual(cached?.info, userInfo(object));
    known.set(object, { version, info });
    return info;
  };

  const userInfo = ({ metadata, spec }: KubeObject): UserInfo => {
    const { login, grafanaAdmin, activeOrganization } = spec as UserSpec;
    const organization = organizationOf(metadata.name, activeOrganization);
    return {
      name: login,
      uid: metadata.name,
      groups: grafanaAdmin ? [MASTERS_GROUP] : [],
      extra: organization === undefined ? {} : { [extraKey]: [organization] },
    };
  };

  const organizationOf = (uid: string, chosen: string | undefined): string | undefined => {
    const memberships = services.reader.range(bindings, BY_USER, [uid]).flatMap((binding) => {
      const { namespace = '' } = binding.metadata;
      const organization = services.reader.get(organizations, '', namespace);
      if (organization === undefined || isTerminating(binding) || isSuspended(binding)) return [];
      return [{ namespace, id: internalIdOf(organization, domain) }];
    });
    return activeOrganization(chosen, memberships)?.namespace;
  };

  const accounts = new WeakMap<KubeObject, UserInfo>();
  const accountInfo = (object: KubeObject, namespace: string, name: string): UserInfo => {
    const cached = accounts.get(object) ?? {
      name: `${SERVICE_ACCOUNT_PREFIX}${namespace}:${name}`,
      uid: name,
      groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`],
      extra: { [extraKey]: [namespace] },
    };
    accounts.set(object, cached);
    return cached;
  };

  const exact = new LRUCache<string, CachedUser>({ max: REMEMBERED });
  /** Cached, because every request with the administrator's token or a client certificate asks for it. */
  const byExactLogin = (login: string): UserInfo | undefined => {
    const versions = [services.reader.version(users), services.reader.version(bindings)] as const;
    const cached = exact.get(login);
    if (cached !== undefined && cached.versions[0] === versions[0] && cached.versions[1] === versions[1])
      return cached.info;
    const info = infoOf(stored.byTrustedLogin(login));
    exact.set(login, { versions, info });
    return info;
  };

  return {
    userByLogin: (login) => infoOf(stored.byLogin(login)) ?? infoOf(stored.byEmail(login)),
    userByExactLogin: byExactLogin,
    userByEmail: (email) => infoOf(stored.byVerifiedEmail(email)),
    user: (uid) => infoOf(services.reader.get(users, '', uid)),
    serviceAccount: (namespace, name) => {
      const object = services.reader.get(resource('iam/serviceaccounts'), namespace, name);
      if (object === undefined || (object.spec as ServiceAccountSpec).disabled || isTerminating(object))
        return undefined;
      return accountInfo(object, namespace, name);
    },
  };
}

/**
 * The users by what identifies them. Whom others call by a login or an address is found only if it is known to be
 * theirs.
 */
function storedUsers({ reader, resource }: IdentityServices) {
  const users = resource('iam/users');
  const found = (index: string, text: string): KubeObject<UserSpec> | undefined =>
    text === '' ? undefined : reader.range<UserSpec>(users, index, [fold(text)], 1)[0];
  return {
    byLogin: (login: string) => found(BY_LOGIN, login),
    byEmail: (email: string) => found(BY_EMAIL, email),
    byTrustedLogin: (login: string) => {
      const user = found(BY_LOGIN, login);
      return user?.spec && hasTrustedLogin(user) && isSameAddress(user.spec.login, login) ? user : undefined;
    },
    byVerifiedEmail: (email: string) => {
      const user = found(BY_EMAIL, email);
      return user?.spec && hasVerifiedEmail(user) && isSameAddress(user.spec.email, email) ? user : undefined;
    },
  };
}

/** Keeps the old object if nothing of it changed, such as when another user became a member. */
function keepIfEqual(old: UserInfo | undefined, fresh: UserInfo): UserInfo {
  return old !== undefined && JSON.stringify(old) === JSON.stringify(fresh) ? old : fresh;
}

/**
 * Adds a credential to a caller. The result is cached, so that it is the same object while caller and credential are
 * the same.
 */
export function byCredential(): (
  user: UserInfo,
  credential: KubeObject,
  id: string,
  stillValid: () => boolean,
) => UserInfo {
  const known = new WeakMap<KubeObject, { readonly of: UserInfo; readonly user: UserInfo }>();
  return (of, credential, id, stillValid) => {
    const cached = known.get(credential);
    if (cached?.of === of) return cached.user;
    const user = { ...of, extra: { ...of.extra, [CREDENTIAL_ID]: [id] }, stillValid };
    known.set(credential, { of, user });
    return user;
  };
}
