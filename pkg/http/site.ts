import type { Site } from '../identity/authn/authenticator.js';
import { isBasic } from '../identity/authn/basic.js';
import { isSameOrigin } from '../identity/authn/origin.js';

/** The parts of a request that tell which page sent it. */
interface SentRequest {
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly method: string;
  readonly client?: { readonly isSecure: boolean } | undefined;
}

/** The target of a request, and the origin that it claims. */
export function siteOf({ headers, method, client }: SentRequest): Site {
  return {
    method,
    host: headers[':authority'] ?? headers['host'],
    isSecure: client?.isSecure === true,
    origin: headers['origin'],
    referer: headers['referer'],
    fetchSite: headers['sec-fetch-site'],
    fetchDest: headers['sec-fetch-dest'],
  };
}

/**
 * Whether no form on a page of another site can have sent the request. Either it has a credential that a browser does
 * not send by itself, such as a bearer token, or its origin is a page of this server.
 */
export function isNoForeignForm(request: SentRequest): boolean {
  const { authorization } = request.headers;
  return (authorization !== undefined && !isBasic(authorization)) || isSameOrigin(siteOf(request));
}
