import { ForbiddenAddress } from '../../system/net/address-guard.js';
import type { BoundedFetch } from '../../system/net/bounded-fetch.js';
import { isObject } from '../../system/object/is-object.js';
import { type Claims, readJson } from './claims.js';
import { forbidden, SignOnFailure } from './failure.js';

/**
 * Reads an address of the provider with the person's access token. Undefined if the token may not (403), or there is
 * nothing (404).
 */
export type Get = (url: string) => Promise<unknown>;

/** How many pages of a list are read. */
const MOST_PAGES = 10;
const PAGE_SIZE = 100;

export function getter(accessToken: string, fetch: BoundedFetch): Get {
  return async (url) => {
    const response = await answerOf(url, accessToken, fetch);
    if (response.status === 403 || response.status === 404) return undefined;
    if (response.status !== 200) throw new SignOnFailure('provider', `the provider answered ${response.status}`);
    return readJson(new Uint8Array(await response.arrayBuffer()));
  };
}

async function answerOf(url: string, accessToken: string, fetch: BoundedFetch): Promise<Response> {
  try {
    // Some providers refuse requests that do not name their program.
    const headers = { authorization: `Bearer ${accessToken}`, accept: 'application/json', 'user-agent': 'apiserver' };
    return await fetch(url, { headers });
  } catch (error) {
    if (error instanceof ForbiddenAddress) throw forbidden(error);
    throw new SignOnFailure('provider', 'the provider did not answer', error);
  }
}

/** The claims at an address. Throws SignOnFailure if there are none. */
export async function claimsAt(get: Get, url: string): Promise<Claims> {
  const claims = await get(url);
  if (isObject(claims)) return claims;
  throw new SignOnFailure('provider', 'api_url gives no claims');
}

/** The objects of a list in pages; empty if the token may not read it. */
export async function listAt(get: Get, url: string): Promise<readonly Claims[]> {
  const all: Claims[] = [];
  for (let page = 1; page <= MOST_PAGES; page++) {
    const at = new URL(url);
    at.searchParams.set('per_page', String(PAGE_SIZE));
    at.searchParams.set('page', String(page));
    const entries = await get(at.href);
    if (!Array.isArray(entries)) break;
    all.push(...entries.filter(isObject));
    if (entries.length < PAGE_SIZE) break;
  }
  return all;
}

export function below(url: string, path: string): string {
  return `${url.replace(/\/+$/, '')}/${path}`;
}
