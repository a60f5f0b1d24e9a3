import { unauthorized } from '../../kube/status/errors.js';
import type { AuthenticationContext, Authenticator, Credentials } from './authenticator.js';
import { ANONYMOUS, AUTHENTICATED_GROUP, type UserInfo } from './user.js';

/** Returns the caller, or throws ApiError 401. Synchronous if possible, because most requests need not wait. */
export type Authenticate = (credentials: Credentials, request: AuthenticationContext) => Promise<UserInfo> | UserInfo;

export interface ChainOptions {
  /** Asked in this order; the first one that returns a caller decides. */
  readonly authenticators: readonly Authenticator[];
  /** Accepts callers without credentials. An unknown credential is still answered 401. */
  readonly anonymous: boolean;
}

export function authenticatorChain({ authenticators, anonymous }: ChainOptions): Authenticate {
  const conclude = (credentials: Credentials): UserInfo => {
    if (anonymous && credentials.authorization === undefined) return ANONYMOUS;
    throw unauthorized();
  };
  const askFrom = async (
    first: Promise<UserInfo | undefined>,
    next: number,
    credentials: Credentials,
    request: AuthenticationContext,
  ): Promise<UserInfo> => {
    let user = await first;
    for (let i = next; user === undefined && i < authenticators.length; i++) {
      user = await authenticators[i]?.authenticate(credentials, request);
    }
    return user === undefined ? conclude(credentials) : asAuthenticated(user);
  };
  return (credentials, request) => {
    for (const [index, authenticator] of authenticators.entries()) {
      const answer = authenticator.authenticate(credentials, request);
      if (answer instanceof Promise) return askFrom(answer, index + 1, credentials, request);
      if (answer !== undefined) return asAuthenticated(answer);
    }
    return conclude(credentials);
  };
}

const withGroup = new WeakMap<UserInfo, UserInfo>();

/** Cached by object, because authenticators return the same UserInfo again and again. */
function asAuthenticated(user: UserInfo): UserInfo {
  if (user.groups.includes(AUTHENTICATED_GROUP)) return user;
  const known = withGroup.get(user);
  if (known !== undefined) return known;
  const complete = { ...user, groups: [...user.groups, AUTHENTICATED_GROUP] };
  withGroup.set(user, complete);
  return complete;
}
