import { hash, timingSafeEqual } from 'node:crypto';
import type { Authenticator } from './authenticator.js';
import type { UserInfo } from './user.js';

const BEARER = /^Bearer +(\S+) *$/i;

/** The token of an `Authorization: Bearer` header. */
export function bearerToken(authorization: string | undefined): string | undefined {
  return authorization === undefined ? undefined : BEARER.exec(authorization)?.[1];
}

const digest = (token: string): Buffer => hash('sha256', token, 'buffer');

/** One token that stands for one user. Other tokens are left to other authenticators. */
export function staticTokenAuthenticator(token: string, user: UserInfo): Authenticator {
  const wanted = digest(token);
  return {
    authenticate: ({ authorization }) => {
      const given = bearerToken(authorization);
      return given !== undefined && timingSafeEqual(digest(given), wanted) ? user : undefined;
    },
  };
}
