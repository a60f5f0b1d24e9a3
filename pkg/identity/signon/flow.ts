import { decodeJwt } from 'jose';
import * as openid from 'openid-client';
import { messageOf } from '../../system/errors/message.js';
import { ForbiddenAddress } from '../../system/net/address-guard.js';
import type { BoundedFetch } from '../../system/net/bounded-fetch.js';
import { isSafeUrl } from '../../system/net/safe-url.js';
import { type Claims, readClaims } from './claims.js';
import { clientAuthentications, clientOf } from './client.js';
import { forbidden, SignOnFailure } from './failure.js';
import type { OAuthSettings } from './settings.js';

/** The secrets of a sign-in that has begun. The browser keeps them, sealed. */
export interface Secrets {
  readonly state: string;
  /** Absent: the provider is asked for no ID token. */
  readonly nonce?: string | undefined;
  /** Absent: PKCE is off. */
  readonly verifier?: string | undefined;
}

/** What the provider gave for the code. */
export interface Tokens {
  readonly accessToken: string;
  /** The claims of the ID token; undefined if there is none. */
  readonly claims: Claims | undefined;
}

export function newSecrets({ usePkce, scopes }: OAuthSettings): Secrets {
  return {
    state: openid.randomState(),
    ...(scopes.includes('openid') && { nonce: openid.randomNonce() }),
    ...(usePkce && { verifier: openid.randomPKCECodeVerifier() }),
  };
}

/** The address to which the browser goes. Throws SignOnFailure if the settings do not suffice. */
export async function authorizationUrl(settings: OAuthSettings, secrets: Secrets, redirectUri: string): Promise<URL> {
  const { scopes, emptyScopes, loginPrompt, hostedDomain, authUrl, tlsSkipVerifyInsecure } = settings;
  const client = clientOf(settings, UNKNOWN_ISSUER);
  if (!tlsSkipVerifyInsecure && !isSafeUrl(authUrl)) throw new SignOnFailure('settings', 'auth_url is not encrypted');
  const { state, nonce, verifier } = secrets;
  return openid.buildAuthorizationUrl(client, {
    redirect_uri: redirectUri,
    state,
    ...(!emptyScopes && scopes.length > 0 && { scope: scopes.join(' ') }),
    ...(nonce !== undefined && { nonce }),
    ...(verifier !== undefined && {
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }),
    ...(loginPrompt !== '' && { prompt: loginPrompt }),
    ...(hostedDomain !== '' && { hd: hostedDomain }),
  });
}

/** Exchanges the code in the query of `answer` for tokens. Throws SignOnFailure. */
export async function exchange(
  settings: OAuthSettings,
  secrets: Secrets,
  answer: URL,
  fetch: BoundedFetch,
): Promise<Tokens> {
  const ways = await clientAuthentications(settings);
  for (const [index, way] of ways.entries()) {
    try {
      return await tokensOf({ settings, secrets, answer, fetch, way });
    } catch (error) {
      if (index + 1 === ways.length || !isWrongClient(error)) throw failureOf(error);
    }
  }
  throw new SignOnFailure('settings', 'there is no way to authenticate the client');
}

interface Exchange {
  readonly settings: OAuthSettings;
  readonly secrets: Secrets;
  readonly answer: URL;
  readonly fetch: BoundedFetch;
  readonly way: openid.ClientAuth;
}

const UNKNOWN_ISSUER = 'urn:unknown';

/**
 * No setting names the issuer. It is taken from the authorization answer (RFC 9207), or else from the ID token. That
 * came from the token address over TLS, so its signature need not be checked (OpenID Connect Core 1.0 §3.1.3.7, point
 * 6). All other claims are checked.
 */
async function tokensOf(options: Exchange): Promise<Tokens> {
  const fetch = once(options.fetch);
  const named = options.answer.searchParams.get('iss') ?? undefined;
  try {
    return await grant({ ...options, fetch }, named ?? UNKNOWN_ISSUER);
  } catch (error) {
    if (named !== undefined || !isOfOtherIssuer(error)) throw error;
  }
  // A code can be used once, so this run gets the answer to the first.
  return grant({ ...options, fetch }, issuerIn(await (await fetch(options.settings.tokenUrl)).text()));
}

async function grant({ settings, secrets, answer, fetch, way }: Exchange, issuer: string): Promise<Tokens> {
  const { state, nonce, verifier } = secrets;
  const tokens = await openid.authorizationCodeGrant(clientOf(settings, issuer, fetch, way), answer, {
    expectedState: state,
    ...(nonce !== undefined && { expectedNonce: nonce, idTokenExpected: true }),
    ...(verifier !== undefined && { pkceCodeVerifier: verifier }),
  });
  const claims = nonce === undefined ? undefined : tokens.claims();
  return {
    accessToken: tokens.access_token,
    claims: claims && readClaims(Buffer.from(JSON.stringify(claims))),
  };
}

/** Answers each further request with the answer to the first. */
function once(fetch: BoundedFetch): BoundedFetch {
  let first: Promise<Response> | undefined;
  return async (url, init) => {
    first ??= fetch(url, init);
    return (await first).clone();
  };
}

function isOfOtherIssuer(error: unknown): boolean {
  const { cause } = error instanceof openid.ClientError ? ((error.cause ?? {}) as { readonly cause?: unknown }) : {};
  return (cause as { readonly claim?: unknown } | undefined)?.claim === 'iss';
}

function issuerIn(text: string): string {
  const { id_token: token } = JSON.parse(text) as { readonly id_token?: unknown };
  const { iss } = typeof token === 'string' ? decodeJwt(token) : {};
  if (typeof iss !== 'string' || iss === '') throw new SignOnFailure('provider', 'the ID token names no issuer');
  return iss;
}

function isWrongClient(error: unknown): boolean {
  if (error instanceof openid.WWWAuthenticateChallengeError) return true;
  return error instanceof openid.ResponseBodyError && ['invalid_client', 'unauthorized_client'].includes(error.error);
}

function failureOf(error: unknown): SignOnFailure {
  if (error instanceof SignOnFailure) return error;
  const cause = error instanceof openid.ClientError ? error.cause : error;
  if (cause instanceof ForbiddenAddress) return forbidden(cause);
  if (error instanceof openid.AuthorizationResponseError)
    return new SignOnFailure('denied', 'the provider refused', error);
  const why = error instanceof openid.ResponseBodyError ? error.error.slice(0, 100) : messageOf(error);
  return new SignOnFailure('provider', `the code was not changed for tokens: ${why}`, error);
}
