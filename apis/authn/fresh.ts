import type { Abortable, Authenticator } from '../../pkg/authn/authenticator.js';
import type { Lookup } from '../../registry/lookup.js';

/**
 * Knows nobody, but waits until what other servers have done is seen here, so that a token revoked or a user disabled there is refused
 * here at once. Without a credential that is looked up, and where this is the only server, there is nothing to wait for. The request's
 * own reads need not wait again.
 */
export function freshIdentities({ fresh, shared }: Pick<Lookup, 'fresh' | 'shared'>): Authenticator {
  const catchUp = async (request: Abortable): Promise<undefined> => {
    await fresh(request.signal);
    request.isCaughtUp = true;
  };
  return {
    authenticate: ({ authorization, cookie }, request) =>
      !shared || (authorization === undefined && cookie === undefined) ? undefined : catchUp(request),
  };
}
