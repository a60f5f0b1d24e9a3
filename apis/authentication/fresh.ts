import type { AuthenticationContext, Credentials } from '../../pkg/authn/authenticator.js';
import type { Authenticate } from '../../pkg/authn/chain.js';
import { bearerToken } from '../../pkg/authn/static-token.js';
import type { UserInfo } from '../../pkg/authn/user.js';
import type { IdentityServices } from './services.js';

/** For so many milliseconds after it has caught up, a server authenticates reads of any version without catching up again. */
const RECENT = 1000;

/**
 * Waits until this server has caught up with the others before it authenticates, so that a token revoked or a user disabled on another server
 * is refused here at once. A server that is alone on its store need not wait, and neither need a request without a credential. Two kinds of
 * requests by bearer token or client certificate wait only if they would be refused otherwise, because the refusal may be outdated: writes, which are checked again
 * in their commit, and reads of any version, if the server has caught up within the last second. Passwords always wait, so that one wrong
 * password does not count twice.
 */
export function freshIdentities(
  authenticate: Authenticate,
  { fresh, isShared }: Pick<IdentityServices, 'fresh' | 'isShared'>,
): Authenticate {
  if (!isShared) return authenticate;
  let heardAt = Number.NEGATIVE_INFINITY;
  const afterAll = async (credentials: Credentials, request: AuthenticationContext): Promise<UserInfo> => {
    const asked = performance.now();
    await fresh(request);
    heardAt = asked;
    request.isCaughtUp = true;
    return authenticate(credentials, request);
  };
  const asItIs = async (credentials: Credentials, request: AuthenticationContext): Promise<UserInfo> => {
    try {
      return await authenticate(credentials, request);
    } catch {
      return afterAll(credentials, request);
    }
  };
  return (credentials, request) => {
    const { authorization, cookie, certificate } = credentials;
    const hasOthers = authorization !== undefined || cookie !== undefined;
    if (!hasOthers && certificate === undefined) return authenticate(credentials, request);
    const isRecent = request.takesAnyVersion === true && performance.now() - heardAt < RECENT;
    const isTokenOrCertificate = !hasOthers || bearerToken(authorization) !== undefined;
    const mayGoOn = (request.isCheckedInCommit === true || isRecent) && isTokenOrCertificate;
    return mayGoOn ? asItIs(credentials, request) : afterAll(credentials, request);
  };
}
