import { timingSafeEqual } from 'node:crypto';
import type { Authenticator } from './authenticator.js';
import { isBasic, parseBasic } from './basic.js';
import type { UserInfo } from './user.js';

const BEARER = /^Bearer +(\S+) *$/i;

export const isBearer = (authorization: string | undefined): boolean =>
  authorization !== undefined && BEARER.test(authorization);

/** Legacy clients send a token as the password of this user. */
const TOKEN_LOGIN = 'api_key';

/** The token of an `Authorization: Bearer` header, or the password of a Basic header whose user is `api_key`. */
export function bearerToken(authorization: string | undefined): string | undefined {
  if (authorization === undefined) return undefined;
  if (!isBasic(authorization)) return BEARER.exec(authorization)?.[1];
  const credentials = parseBasic(authorization);
  return credentials?.login === TOKEN_LOGIN ? credentials.password : undefined;
}

/**
 * Accepts one token for one user. The token may change, and then the caller with the old one is no longer valid. Other
 * tokens are left to other authenticators.
 */
export function staticTokenAuthenticator(current: () => string, user: UserInfo): Authenticator {
  const accepted = (token: string) => {
    return { token, bytes: Buffer.from(token), user: { ...user, stillValid: () => current() === token } };
  };
  let known = accepted(current());
  return {
    authenticate: ({ authorization }) => {
      const token = bearerToken(authorization);
      if (token === undefined) return undefined;
      if (known.token !== current()) known = accepted(current());
      return isEqual(Buffer.from(token), known.bytes) ? known.user : undefined;
    },
  };
}

/** Takes the same time wherever the texts differ. The length of a token is not secret. */
function isEqual(actual: Buffer, expected: Buffer): boolean {
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}
