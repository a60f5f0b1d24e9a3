import { STATUS_CODES } from 'node:http';
import { providerFetch } from './client.js';
import { isRestApi, openIdAddress } from './gitlab.js';
import type { AskedAddress } from './reach.js';
import { below } from './rest.js';
import type { OAuthProvider, OAuthSettings, OAuthType } from './settings.js';
import { unreachable } from './unreachable.js';
import type { SignOnKey } from './values.js';

/** Whether a setting suffices for sign-ins, as far as a request without credentials can tell. */
export interface ConnectionCheck {
  readonly name: SignOnKey;
  /** The host that was asked, with its port; empty if none was. */
  readonly host: string;
  /** Whether the host answered. The message may still name a problem. */
  readonly ok: boolean;
  /** For people. It contains nothing that the provider sent but the status. */
  readonly message: string;
}

/** Milliseconds for each address. All are asked at the same time. */
const PATIENCE = 5000;

interface Address {
  readonly name: AskedAddress;
  readonly url: string;
  /** The message if there is none. */
  readonly missing: string;
  readonly isOptional?: boolean;
}

type Asked = Pick<OAuthProvider, 'type' | 'settings' | 'reach'>;

/**
 * Asks the addresses of a provider in the way of sign-ins: with the same TLS settings, and the same limits of what may
 * be asked.
 */
export async function checkConnection(
  provider: Asked,
  signal: AbortSignal,
  patience = PATIENCE,
): Promise<readonly ConnectionCheck[]> {
  const { type, settings } = provider;
  const checks = addressesOf(type, settings).map((address) => checked(address, provider, signal, patience));
  const problems = await Promise.all(checks);
  // Requests that were aborted say nothing about the provider.
  signal.throwIfAborted();
  const client = { name: 'clientId', host: '', ok: false, message: NOT_SET } as const;
  return settings.clientId === '' ? [client, ...problems] : problems;
}

const NOT_SET = 'It is not set.';

function addressesOf(type: OAuthType, settings: OAuthSettings): readonly Address[] {
  const { authUrl, tokenUrl, teamsUrl, teamIds, scopes } = settings;
  const hasToken = scopes.includes('openid');
  const asksTeams = teamIds.length > 0 && teamsUrl !== '' && type !== 'github';
  return [
    { name: 'authUrl', url: authUrl, missing: NOT_SET },
    { name: 'tokenUrl', url: tokenUrl, missing: NOT_SET },
    {
      name: 'apiUrl',
      url: userAddress(type, settings),
      isOptional: hasToken,
      missing: hasToken
        ? 'It is not set. The ID token alone tells who somebody is.'
        : 'It is not set, and without the scope openid nothing else tells who somebody is.',
    },
    ...(asksTeams ? [{ name: 'teamsUrl', url: teamsUrl, missing: NOT_SET } as const] : []),
  ];
}

/** The address that sign-ins ask who somebody is. */
function userAddress(type: OAuthType, { apiUrl, scopes }: OAuthSettings): string {
  if (type !== 'gitlab' || !isRestApi(apiUrl)) return apiUrl;
  return scopes.includes('openid') ? openIdAddress(apiUrl) : below(apiUrl, 'user');
}

async function checked(
  { name, url, missing, isOptional = false }: Address,
  provider: Asked,
  signal: AbortSignal,
  patience: number,
): Promise<ConnectionCheck> {
  if (url === '') return { name, host: '', ok: isOptional, message: missing };
  if (!URL.canParse(url)) return { name, host: '', ok: false, message: 'It is not an address.' };
  const { host, protocol } = new URL(url);
  try {
    const fetch = await providerFetch(provider, signal, patience);
    const { status } = await fetch(name)(url, requestTo(name));
    const isUnchecked = protocol === 'https:' && provider.settings.tlsSkipVerifyInsecure;
    return { name, host, ok: true, message: `${answered(name, status)}${isUnchecked ? UNCHECKED : ''}` };
  } catch (error) {
    const why = unreachable(error);
    return { name, host, ok: false, message: name === 'authUrl' ? `${why} ${BROWSERS}` : why };
  }
}

/**
 * Many providers answer 404 at the token address to everything but a POST. One without a code is wrong by RFC 6749
 * §5.2, so it is refused with 400 or 401 and has no effect.
 */
function requestTo(name: SignOnKey): { method: string; headers: Record<string, string>; body?: string } {
  const headers = { 'user-agent': 'apiserver' };
  if (name !== 'tokenUrl') return { method: 'HEAD', headers };
  const form = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' };
  return { method: 'POST', headers: { ...headers, ...form }, body: 'grant_type=authorization_code' };
}

const UNCHECKED = ' Its certificate is not checked, because tlsSkipVerifyInsecure is set.';
const BROWSERS = 'Only browsers go there, so people may reach it all the same.';

/** The message for an answer. A refusal is expected, because the request has no credentials. */
function answered(name: SignOnKey, status: number): string {
  const words = `It answers, but with ${status} (${STATUS_CODES[status] ?? 'unknown'}).`;
  if (status === 404 || status === 410)
    return `${words} Check the path.${name === 'tokenUrl' ? ' Some providers answer so to everything but a sign-in.' : ''}`;
  // 501 is about the method of this request.
  if (status >= 500 && status !== 501) return `${words} It may be out of order.`;
  if (status >= 300 && status < 400 && name !== 'authUrl')
    return `${words} Sign-ins do not follow it to another address.`;
  return 'It answers.';
}
