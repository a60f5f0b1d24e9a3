import type { JWTPayload } from 'jose';
import type { UserInfo } from '../../pkg/authn/user.js';
import type { Directory } from './directory.js';

export interface JwtClaims {
  /** The claim that is a user's login. */
  readonly loginClaim: string;
  /** The claim that is a user's e-mail address; undefined: none is. */
  readonly emailClaim: string | undefined;
}

/** The user that the claims name: by login, else by an e-mail address that the issuer does not call unverified. No user is made. */
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
