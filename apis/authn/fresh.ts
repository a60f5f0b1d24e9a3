import type { Authenticator } from '../../pkg/authn/authenticator.js';
import type { Lookup } from '../../registry/lookup.js';

/**
 * Knows nobody, but waits until what other servers have done is seen here, so that a token revoked or a user disabled there is refused
 * here at once. Without a credential that is looked up, and where this is the only server, there is nothing to wait for.
 */
export function freshIdentities({ fresh }: Pick<Lookup, 'fresh'>): Authenticator {
  return {
    authenticate: ({ authorization, cookie }, { signal }) =>
      authorization === undefined && cookie === undefined ? undefined : fresh(signal)?.then(() => undefined),
  };
}
