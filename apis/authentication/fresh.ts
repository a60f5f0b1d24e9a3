import type { Abortable, Credentials } from '../../pkg/authn/authenticator.js';
import type { Authenticate } from '../../pkg/authn/chain.js';
import { bearerToken } from '../../pkg/authn/static-token.js';
import type { UserInfo } from '../../pkg/authn/user.js';
import type { Lookup } from '../../registry/lookup.js';

/** Milliseconds for which having heard of everything is recent enough for reads that take any version. */
const RECENT = 1000;

/**
 * Waits until what other servers have done is seen here, so that a token revoked or a user disabled there is refused here at once.
 * Without a credential that is looked up, and where this is the only server, there is nothing to wait for. Two kinds of requests by bearer
 * tokens need not wait, unless they would be refused: that may only be news that have not come yet. A write that is checked again in its
 * commit; and a read of any version, which is to be answered at once, as long as somebody has waited in the last second. Passwords always
 * wait, lest a failed attempt count twice.
 */
export function freshIdentities(
  authenticate: Authenticate,
  { fresh, shared }: Pick<Lookup, 'fresh' | 'shared'>,
): Authenticate {
  if (!shared) return authenticate;
  let heardAt = Number.NEGATIVE_INFINITY;
  const afterAll = async (credentials: Credentials, request: Abortable): Promise<UserInfo> => {
    const asked = performance.now();
    await fresh(request);
    heardAt = asked;
    request.isCaughtUp = true;
    return authenticate(credentials, request);
  };
  const asItIs = async (credentials: Credentials, request: Abortable): Promise<UserInfo> => {
    try {
      return await authenticate(credentials, request);
    } catch {
      return afterAll(credentials, request);
    }
  };
  return (credentials, request) => {
    const { authorization, cookie } = credentials;
    if (authorization === undefined && cookie === undefined) return authenticate(credentials, request);
    const isRecent = request.takesAnyVersion === true && performance.now() - heardAt < RECENT;
    const mayGoOn = (request.isCheckedInCommit === true || isRecent) && bearerToken(authorization) !== undefined;
    return mayGoOn ? asItIs(credentials, request) : afterAll(credentials, request);
  };
}
