import type { AddressGuard } from '../system/net/address-guard.js';
import type { ClientTls } from '../system/net/bounded-fetch.js';
import { isSafeUrl } from '../system/net/safe-url.js';

/**
 * A token of a service account, the login and the password of a user, or a whole header. A client certificate is part
 * of `tls`.
 */
export type Credential =
  | { readonly token: string }
  | { readonly login: string; readonly password: string }
  | { readonly authorization: string };

/** Where the other server is, and how it is asked. */
export interface LegacyServer {
  /** The address of the server, without `/api`. It may have a path: `https://example.org/dashboards`. */
  readonly url: string;
  /** Absent: there is only that of `tls`. */
  readonly credential?: Credential | undefined;
  /** The number of the organization. Absent: the one that the credential belongs to. */
  readonly organization?: number | undefined;
  readonly tls?: ClientTls;
  /** Which addresses may be asked. Absent: all. */
  readonly guard?: AddressGuard;
  /** Also sends the credential without encryption to other machines. */
  readonly isInsecure?: boolean;
  /** Names this client in the log of the other server. */
  readonly userAgent: string;
  /** Ends all requests, and the waiting between them. */
  readonly signal?: AbortSignal;
  readonly limits?: Partial<LegacyLimits>;
}

export interface LegacyLimits {
  /** The most requests at one time. */
  readonly parallel: number;
  /** Milliseconds for one request with its answer. */
  readonly timeout: number;
  /** The most bytes of an answer. */
  readonly bytes: number;
  /** How often a request is sent that fails and may be sent again. */
  readonly attempts: number;
  /** The most milliseconds that a request waits in all because the server asks clients to wait (429). */
  readonly patience: number;
}

export const LIMITS: LegacyLimits = {
  parallel: 8,
  timeout: 60_000,
  bytes: 16 * 2 ** 20,
  attempts: 5,
  patience: 10 * 60_000,
};

/** The address is not one that a request can be sent to. */
export class WrongAddress extends Error {}

/**
 * The address without a `/` at its end, and without `/api`, which people copy along. Throws WrongAddress.
 */
export function baseOf({ url, isInsecure }: Pick<LegacyServer, 'url' | 'isInsecure'>): string {
  if (!URL.canParse(url)) throw new WrongAddress('The address is no URL such as https://dashboards.example.org.');
  const { protocol, username, password, search, hash, origin, pathname } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'http:')
    throw new WrongAddress(`The address must begin with https:// or http://, not ${protocol}`);
  if (username !== '' || password !== '')
    throw new WrongAddress('The address has a login or a password. Give them apart from it.');
  if (search !== '' || hash !== '') throw new WrongAddress('The address has a query or a fragment. Leave them out.');
  if (isInsecure !== true && !isSafeUrl(url))
    throw new WrongAddress(`${origin} is not encrypted, so others could read the credential on the way. Use https://.`);
  return `${origin}${pathname.replace(/\/+$/, '').replace(/\/api$/, '')}`;
}

export function authorizationOf(credential: Credential): string {
  if ('authorization' in credential) return credential.authorization;
  if ('token' in credential) return `Bearer ${credential.token}`;
  return `Basic ${Buffer.from(`${credential.login}:${credential.password}`).toString('base64')}`;
}
