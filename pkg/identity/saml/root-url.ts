import { isLoopback } from '../../system/net/address.js';
import { SignOnFailure } from '../signon/failure.js';

export interface RootUrlSettings {
  /** The setting `server.root_url`. */
  readonly rootUrl?: string | undefined;
  /** The server listens on loopback addresses only. */
  readonly isLocal?: boolean | undefined;
}

export const NO_ROOT_URL = 'SAML needs server.root_url, because assertions are for this address';

/**
 * The address of this server in messages, without a slash at its end. It is the audience and the recipient of
 * assertions, so it is never what a client says: a client could name another service, and bring an assertion that was
 * made for that one. Only a server that listens on loopback takes the names of loopback. Throws SignOnFailure.
 */
export function samlRootUrl({ rootUrl, isLocal }: RootUrlSettings, host: string, isSecure: boolean): string {
  if (rootUrl !== undefined) return rootUrl.replace(/\/+$/, '');
  if (isLocal !== true || !isLoopback(host.replace(/:\d*$/, ''))) throw new SignOnFailure('settings', NO_ROOT_URL);
  return `${isSecure ? 'https' : 'http'}://${host}`;
}
