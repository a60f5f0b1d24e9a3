import type { JWTPayload } from 'jose';
import type { Authenticator } from '../../pkg/identity/authn/authenticator.js';
import { isSameCaller, MASTERS_GROUP, type UserInfo } from '../../pkg/identity/authn/user.js';
import type { Directory } from './directory.js';
import { OPERATOR } from './operator.js';

/** The CN of the client certificate that the server makes for its operator. */
const ADMIN_CERTIFICATE = 'admin';

/**
 * The caller that a client certificate stands for: the operator; or the stored user whose login is the CN, with the
 * groups of the certificate added; or else the subject of the certificate. A certificate for full rights is never a
 * stored user, because users may change their logins.
 */
export function certificateUsers(certificates: Authenticator, users: Directory): Authenticator {
  const known = new WeakMap<UserInfo, WeakMap<UserInfo, UserInfo>>();
  const callerOf = (subject: UserInfo): UserInfo => {
    const user = storedAs(subject);
    if (user === undefined) return subject;
    const cached = known.get(subject) ?? new WeakMap<UserInfo, UserInfo>();
    known.set(subject, cached);
    return asSubject(cached, user, subject, () => isSameCaller(storedAs(subject), user));
  };
  const storedAs = ({ name, groups }: UserInfo): UserInfo | undefined => {
    if (!groups.includes(MASTERS_GROUP)) return users.userByExactLogin(name);
    return name === ADMIN_CERTIFICATE ? OPERATOR : undefined;
  };
  return {
    authenticate: (credentials, request) => {
      const subject = certificates.authenticate(credentials, request);
      return subject === undefined || subject instanceof Promise ? subject : callerOf(subject);
    },
  };
}

/** The user with the groups of the certificate, while the certificate is valid and the user is the same. */
function asSubject(
  known: WeakMap<UserInfo, UserInfo>,
  user: UserInfo,
  subject: UserInfo,
  isCurrent: () => boolean,
): UserInfo {
  const groups = [...new Set([...user.groups, ...subject.groups])];
  const stillValid = (): boolean => subject.stillValid?.() !== false && isCurrent();
  const cached = known.get(user) ?? { ...user, groups, stillValid };
  known.set(user, cached);
  return cached;
}

export interface JwtClaims {
  /** The claim that holds the login of the user. */
  readonly loginClaim: string;
  /** The claim that holds the e-mail address of the user; undefined: addresses are not used. */
  readonly emailClaim: string | undefined;
}

/**
 * Finds the user that the claims name: by login, otherwise by e-mail address. The address is used only if
 * `email_verified` is the boolean `true` (OpenID Connect Core 1.0 §5.1): otherwise people could enter the address of an
 * administrator at the issuer. No user is created. Texts count as they are: `admin ` with a space is somebody else than
 * `admin` at the issuer.
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
  return typeof value === 'string' ? value : '';
}
