import { readFile, stat } from 'node:fs/promises';
import {
  type CryptoKey,
  createLocalJWKSet,
  errors,
  type JSONWebKeySet,
  type JWTPayload,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
  type JWTVerifyResult,
  jwtVerify,
} from 'jose';
import { ApiError } from '../../kube/status/status.js';
import { messageOf } from '../../system/errors/message.js';
import type { Authenticator } from './authenticator.js';
import { invalidJwt } from './errors.js';
import { KeysUnavailable } from './remote-keys.js';
import { bearerToken } from './static-token.js';
import { isSameCaller, type UserInfo } from './user.js';

export interface JwtOptions {
  readonly issuer: string;
  readonly audience: string;
  /** How many seconds the issuer's clock may differ from ours. */
  readonly clockSkew: number;
  /** The issuer's current keys. */
  readonly keys: JWTVerifyGetKey;
  /** The user of these claims. */
  readonly find: (claims: JWTPayload) => UserInfo | undefined;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

/** Only asymmetric algorithms: with a symmetric one, the published key would be enough to sign a token. */
export const ALGORITHMS = [
  ...['RS', 'PS', 'ES'].flatMap((family) => [`${family}256`, `${family}384`, `${family}512`]),
  'EdDSA',
  'Ed25519',
];
const MAX_TOKEN = 8_192;
/** Seconds. The keys of an issuer that does not answer are asked for again after 1 s, and later after at most 60 s. */
const KEYS_AGAIN = 5;
const JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/**
 * Authenticates by JSON Web Tokens (RFC 7519) of one issuer as bearer tokens. Other bearer tokens are left to other
 * authenticators.
 */
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
    const { payload: claims, protectedHeader } = await verify(token, keys, options());
    const user = namesCaller(protectedHeader.typ) ? find(claims) : undefined;
    if (user === undefined) throw invalidJwt();
    const end = ((claims.exp ?? 0) + clockSkew) * 1000;
    return { ...user, stillValid: () => now() < end && isSameCaller(find(claims), user) };
  };

  return {
    authenticate: ({ authorization }) => {
      const token = bearerToken(authorization);
      return token !== undefined && token.length <= MAX_TOKEN && JWT.test(token) ? authenticate(token) : undefined;
    },
  };
}

/**
 * Whether a token of this type says who is calling. An issuer signs others with the same keys, for example `logout+jwt`
 * (RFC 8725 §3.11).
 */
function namesCaller(type: string | undefined): boolean {
  return type === undefined || /^(?:application\/)?(?:at\+)?jwt$/i.test(type);
}

async function verify(token: string, keys: JWTVerifyGetKey, options: JWTVerifyOptions): Promise<JWTVerifyResult> {
  try {
    return await jwtVerify<CryptoKey>(token, keys, options);
  } catch (error) {
    if (isCallersFault(error)) throw invalidJwt();
    throw keysUnavailable(error);
  }
}

function keysUnavailable(cause: unknown): ApiError {
  const message = "the issuer's keys cannot be fetched now, so the token cannot be checked";
  const isLogged = cause instanceof KeysUnavailable;
  const details = { retryAfterSeconds: KEYS_AGAIN };
  return new ApiError({ code: 503, reason: 'ServiceUnavailable', message, details, cause, isLogged });
}

/**
 * The other errors are about fetching the keys; the token may be valid. A TypeError is about a key that jose does not
 * use, such as one of RSA with fewer than 2,048 bits.
 */
function isCallersFault(error: unknown): boolean {
  if (error instanceof TypeError) return true;
  if (!(error instanceof errors.JOSEError)) return false;
  return !(
    error instanceof errors.JWKSTimeout ||
    error instanceof errors.JWKSInvalid ||
    error.code === 'ERR_JOSE_GENERIC'
  );
}

/** The keys of an issuer in a file, which is read again when it has changed. */
export function fileKeys(path: string): JWTVerifyGetKey {
  let loaded: { readonly mark: string; readonly keys: JWTVerifyGetKey } | undefined;
  return async (header, token) => {
    const { mtimeMs, size } = await stat(path);
    const mark = `${mtimeMs} ${size}`;
    if (loaded?.mark !== mark) loaded = { mark, keys: createLocalJWKSet(await readKeys(path)) };
    return loaded.keys(header, token);
  };
}

/**
 * Throws an error for the operator if the file is not a JSON Web Key Set. jose checks the keys themselves when it uses
 * them.
 */
export async function readKeys(path: string): Promise<JSONWebKeySet> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw unusable(`cannot read ${path}`, cause);
  });
  try {
    const keys: unknown = JSON.parse(text);
    createLocalJWKSet(keys as JSONWebKeySet);
    return keys as JSONWebKeySet;
  } catch (cause) {
    throw unusable(`${path} is not a JSON Web Key Set`, cause);
  }
}

const unusable = (what: string, cause: unknown): Error =>
  new errors.JWKSInvalid(`auth.jwt.jwks_file: ${what}: ${messageOf(cause)}`, { cause });
