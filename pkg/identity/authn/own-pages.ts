import type { Credentials } from './authenticator.js';
import { isBasic } from './basic.js';
import type { Authenticate } from './chain.js';
import { foreignOrigin } from './errors.js';
import { isForeignUse } from './origin.js';
import { isBearer } from './static-token.js';

/**
 * Refuses writes and loads that a page of another site makes a browser send with credentials that the browser
 * remembers: the client certificate of its user, or a login and password of the Basic scheme. Throws ApiError 403
 * before it looks at the credential, so such a page cannot try passwords either. A browser sends no bearer token by
 * itself, so requests with one may come from any page. The authenticator of sessions checks requests with a cookie.
 */
export function ownPagesOnly(authenticate: Authenticate, rootUrl: string | undefined): Authenticate {
  return (credentials, request) => {
    const { site } = credentials;
    if (site !== undefined && browsersSendIt(credentials) && isForeignUse(site, rootUrl)) throw foreignOrigin();
    return authenticate(credentials, request);
  };
}

/** The password of the Basic scheme may be a token. It is still checked, because browsers remember it. */
function browsersSendIt({ authorization, certificate }: Credentials): boolean {
  return isBasic(authorization) || (certificate !== undefined && !isBearer(authorization));
}
