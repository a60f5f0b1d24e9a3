import type { UserInfo } from '../../identity/authn/user.js';
import type { ApiRequest } from '../handler.js';
import type { Middleware } from '../pipeline.js';

/**
 * Returns the user as whom the caller wants to act. Undefined if the caller does not ask for this. Throws ApiError if
 * the caller may not.
 */
export type Impersonation = (request: ApiRequest) => Promise<UserInfo> | undefined;

/** Lets administrators act as somebody else, in every API: from here on the request is that user's. */
export function impersonate(impersonation: Impersonation): Middleware {
  return ({ state }, next) => {
    const wanted = state.mount?.isPublic === true ? undefined : impersonation(state);
    if (wanted === undefined) return next();
    return wanted.then((user) => {
      state.impersonator = state.user;
      state.user = user;
      return next();
    });
  };
}
