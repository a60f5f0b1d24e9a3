import {
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  type FetchImplementation,
  type JSONWebKeySet,
  type JWTVerifyGetKey,
} from 'jose';
import { decodeJson } from '../../kube/json/decode.js';
import { messageOf } from '../../system/errors/message.js';
import { boundedFetch } from '../../system/net/bounded-fetch.js';

/** The keys could not be fetched. It has been logged. */
export class KeysUnavailable extends Error {}

export interface RemoteKeysOptions {
  /** Called with a sentence for each fetch that failed, and when a later one succeeds. */
  readonly warn: (message: string) => void;
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number;
}

/**
 * Milliseconds. Keys are cached for `cacheMaxAge` and fetched at most once per cooldown, however many unknown key ids
 * are sent. A fetch is given up after `timeoutDuration`.
 */
const REMOTE = { cacheMaxAge: 10 * 60_000, cooldownDuration: 30_000, timeoutDuration: 5_000 };

/**
 * The keys that an issuer publishes at a URL. They are fetched again for an unknown key id, because issuers change
 * their keys.
 */
export function remoteKeys(url: string, options: RemoteKeysOptions): JWTVerifyGetKey {
  return createRemoteJWKSet(new URL(url), { ...REMOTE, [customFetch]: pausingFetch(options) });
}

/** Milliseconds between a failed fetch and the next one. It doubles with each failure. */
const PAUSE = { first: 1_000, longest: 60_000 };

/**
 * Pauses after a failed fetch, so that invalid tokens, which anybody can send, cause few requests to an address that is
 * down.
 */
function pausingFetch({ warn, now = () => performance.now() }: RemoteKeysOptions): FetchImplementation {
  let failures = 0;
  let pausedUntil = Number.NEGATIVE_INFINITY;
  const failed = (cause: unknown): KeysUnavailable => {
    const pause = Math.min(PAUSE.first * 2 ** failures, PAUSE.longest);
    failures++;
    pausedUntil = now() + pause;
    warn(
      `The keys of auth.jwt.jwks_url cannot be fetched: ${reasonOf(cause)}. The next attempt is in ${pause / 1000}s.`,
    );
    return new KeysUnavailable('the keys cannot be fetched', { cause });
  };
  return async (url, options) => {
    if (now() < pausedUntil) throw new KeysUnavailable('the keys could not be fetched a moment ago');
    try {
      const keys = await fetchKeys(url, options);
      if (failures > 0) warn('The keys of auth.jwt.jwks_url are fetched again.');
      failures = 0;
      return keys;
    } catch (error) {
      throw failed(error);
    }
  };
}

/** The most bytes and values of a key set. An issuer has a few keys, and each token is compared with all of them. */
const MOST_BYTES = 256 * 1024;
const LIMITS = { depth: 20, values: 10_000 };

/** Throws if the answer is not a JSON Web Key Set, or is too large. */
async function fetchKeys(...[url, { headers, signal }]: Parameters<FetchImplementation>): Promise<Response> {
  const fetch = boundedFetch({ signal, bytes: MOST_BYTES });
  const response = await fetch(url, { headers: Object.fromEntries(headers) });
  if (response.status !== 200) throw new Error(`the answer has status ${response.status}, not 200`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  createLocalJWKSet(decodeJson(bytes, LIMITS).value as JSONWebKeySet);
  return new Response(bytes);
}

/** `fetch` wraps the reason, and errors of several addresses have an empty message. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  return messageOf(cause) || String((cause as { readonly code?: unknown }).code ?? 'unknown');
}
