import type { JWTPayload } from 'jose';
import type { UserInfo } from '../../pkg/authn/user.js';
import type { Directory } from './directory.js';

export interface JwtClaims {
  /** The claim that holds the login of the user. */
  readonly loginClaim: string;
  /** The claim that holds the e-mail address of the user; undefined: addresses are not used. */
  readonly emailClaim: string | undefined;
}

/**
 * Finds the user that the claims name: by login, otherwise by e-mail address, unless the issuer says that the address is not verified. No
 * user is created.
 */
export function userOfClaims(users: Directory, { loginClaim, emailClaim }: JwtClaims) {
  return (claims: JWTPayload): UserInfo | undefined => {
    const login = textOf(claims, loginClaim);
    const email = emailClaim === undefined || claims['email_verified'] === false ? '' : textOf(claims, emailClaim);
    return users.userByExactLogin(login) ?? users.userByEmail(email);
  };
}

function textOf(claims: JWTPayload, claim: string): string {
  const value = Object.hasOwn(claims, claim) ? claims[claim] : undefined;
  return typeof value === 'string' ? value.trim() : '';
}
