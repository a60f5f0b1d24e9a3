import { type CryptoKey, errors, type JWTPayload, type JWTVerifyGetKey, type JWTVerifyOptions, jwtVerify } from 'jose';
import { serviceUnavailable } from '../status/errors.js';
import type { Authenticator } from './authenticator.js';
import { invalidJwt } from './errors.js';
import { bearerToken } from './static-token.js';
import type { UserInfo } from './user.js';

export interface JwtOptions {
  readonly issuer: string;
  readonly audience: string;
  /** Seconds that clocks may differ. */
  readonly clockSkew: number;
  /** The issuer's keys, which change. */
  readonly keys: JWTVerifyGetKey;
  /** The user that the claims name. */
  readonly find: (claims: JWTPayload) => UserInfo | undefined;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

/** Only signatures that need a private key: a published key must never be enough to sign. */
const ALGORITHMS = [
  ...['RS', 'PS', 'ES'].flatMap((family) => [`${family}256`, `${family}384`, `${family}512`]),
  'EdDSA',
  'Ed25519',
];
const LONGEST = 8_192;
const JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** JSON Web Tokens of one issuer (RFC 7519) as bearer tokens. Other bearer tokens are left to other authenticators. */
export function jwtAuthenticator({
  issuer,
  audience,
  clockSkew,
  keys,
  find,
  now = Date.now,
}: JwtOptions): Authenticator {
  const options = (): JWTVerifyOptions => ({
    issuer,
    audience,
    algorithms: ALGORITHMS,
    clockTolerance: clockSkew,
    requiredClaims: ['exp'],
    currentDate: new Date(now()),
  });

  const authenticate = async (token: string): Promise<UserInfo> => {
    const claims = await verify(token, keys, options());
    const user = find(claims);
    if (user === undefined) throw invalidJwt();
    const end = ((claims.exp ?? 0) + clockSkew) * 1000;
    return { ...user, stillValid: () => now() < end && isSame(find(claims), user) };
  };

  return {
    authenticate: ({ authorization }) => {
      const token = bearerToken(authorization);
      return token !== undefined && token.length <= LONGEST && JWT.test(token) ? authenticate(token) : undefined;
    },
  };
}

async function verify(token: string, keys: JWTVerifyGetKey, options: JWTVerifyOptions): Promise<JWTPayload> {
  try {
    const { payload } = await jwtVerify<CryptoKey>(token, keys, options);
    return payload;
  } catch (error) {
    if (isCallersFault(error)) throw invalidJwt();
    throw serviceUnavailable(
      "the issuer's keys cannot be fetched at the moment, so its tokens cannot be checked",
      error,
    );
  }
}

/** The rest is about fetching the keys: the token may be good. */
function isCallersFault(error: unknown): boolean {
  if (!(error instanceof errors.JOSEError)) return false;
  return !(
    error instanceof errors.JWKSTimeout ||
    error instanceof errors.JWKSInvalid ||
    error.code === 'ERR_JOSE_GENERIC'
  );
}

/** Whoever has other groups by now may do other things. */
function isSame(now: UserInfo | undefined, user: UserInfo): boolean {
  return now?.uid === user.uid && now.groups.join() === user.groups.join();
}
