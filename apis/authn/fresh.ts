import type { Abortable, Credentials } from '../../pkg/authn/authenticator.js';
import type { Authenticate } from '../../pkg/authn/chain.js';
import { bearerToken } from '../../pkg/authn/static-token.js';
import type { UserInfo } from '../../pkg/authn/user.js';
import type { Lookup } from '../../registry/lookup.js';

/**
 * Waits until what other servers have done is seen here, so that a token revoked or a user disabled there is refused here at once.
 * Without a credential that is looked up, and where this is the only server, there is nothing to wait for. A write by a bearer token that
 * is checked again in its commit need not wait, unless it would be refused: that may only be news that have not come yet. Passwords
 * always wait, lest a failed attempt count twice.
 */
export function freshIdentities(
  authenticate: Authenticate,
  { fresh, shared }: Pick<Lookup, 'fresh' | 'shared'>,
): Authenticate {
  if (!shared) return authenticate;
  const afterAll = async (credentials: Credentials, request: Abortable): Promise<UserInfo> => {
    await fresh(request);
    request.isCaughtUp = true;
    return authenticate(credentials, request);
  };
  const inCommit = async (credentials: Credentials, request: Abortable): Promise<UserInfo> => {
    try {
      return await authenticate(credentials, request);
    } catch {
      return afterAll(credentials, request);
    }
  };
  return (credentials, request) => {
    const { authorization, cookie } = credentials;
    if (authorization === undefined && cookie === undefined) return authenticate(credentials, request);
    const mayGoOn = request.isCheckedInCommit === true && bearerToken(authorization) !== undefined;
    return mayGoOn ? inCommit(credentials, request) : afterAll(credentials, request);
  };
}
