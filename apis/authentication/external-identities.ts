import type { JWTPayload } from 'jose';
import type { Authenticator } from '../../pkg/authn/authenticator.js';
import { MASTERS_GROUP, type UserInfo } from '../../pkg/authn/user.js';
import type { Directory } from './directory.js';

/** The CN of the client certificate that the server makes for its operator. */
const ADMIN_CERTIFICATE = 'admin';

/**
 * The user that the admin token and the admin certificate stand for. They have full rights even if the user of that login has none, or
 * does not exist.
 */
export function administrator(users: Directory, login: string): () => UserInfo {
  const nobody: UserInfo = { name: login, uid: '', groups: [MASTERS_GROUP], extra: {} };
  const known = new WeakMap<UserInfo, UserInfo>();
  return () => {
    const user = users.userByExactLogin(login);
    return user === undefined ? nobody : withGroups(known, user, nobody.groups);
  };
}

/**
 * The caller that a client certificate stands for: the stored user whose login is the CN, with the groups of the certificate added. If
 * there is no such user, the caller is the subject of the certificate.
 */
export function certificateUsers(certificates: Authenticator, users: Directory, admin: () => UserInfo): Authenticator {
  const known = new WeakMap<UserInfo, WeakMap<UserInfo, UserInfo>>();
  const stored = ({ name, groups }: UserInfo): UserInfo | undefined =>
    name === ADMIN_CERTIFICATE && groups.includes(MASTERS_GROUP) ? admin() : users.userByExactLogin(name);
  return {
    authenticate: (credentials, request) => {
      const subject = certificates.authenticate(credentials, request);
      if (subject === undefined || subject instanceof Promise) return subject;
      const user = stored(subject);
      if (user === undefined) return subject;
      const made = known.get(subject) ?? new WeakMap<UserInfo, UserInfo>();
      known.set(subject, made);
      return withGroups(made, user, subject.groups);
    },
  };
}

function withGroups(known: WeakMap<UserInfo, UserInfo>, user: UserInfo, groups: readonly string[]): UserInfo {
  const made = known.get(user) ?? { ...user, groups: [...new Set([...user.groups, ...groups])] };
  known.set(user, made);
  return made;
}

export interface JwtClaims {
  /** The claim that holds the login of the user. */
  readonly loginClaim: string;
  /** The claim that holds the e-mail address of the user; undefined: addresses are not used. */
  readonly emailClaim: string | undefined;
}

/**
 * Finds the user that the claims name: by login, otherwise by e-mail address. The address is used only if `email_verified` is the boolean
 * `true` (OpenID Connect Core 1.0 §5.1): otherwise people could enter the address of an administrator at the issuer. No user is created.
 */
export function userOfClaims(users: Directory, { loginClaim, emailClaim }: JwtClaims) {
  return (claims: JWTPayload): UserInfo | undefined => {
    const login = textOf(claims, loginClaim);
    const isVerified = Object.hasOwn(claims, 'email_verified') && claims['email_verified'] === true;
    const email = emailClaim !== undefined && isVerified ? textOf(claims, emailClaim) : '';
    return users.userByExactLogin(login) ?? users.userByEmail(email);
  };
}

function textOf(claims: JWTPayload, claim: string): string {
  const value = Object.hasOwn(claims, claim) ? claims[claim] : undefined;
  return typeof value === 'string' ? value.trim() : '';
}
