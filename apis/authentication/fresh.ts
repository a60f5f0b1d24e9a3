import type { AuthenticationContext, Credentials } from '../../pkg/identity/authn/authenticator.js';
import type { Authenticate } from '../../pkg/identity/authn/chain.js';
import { isAnonymous, type UserInfo } from '../../pkg/identity/authn/user.js';
import type { IdentityServices } from './services.js';

/**
 * For so many milliseconds after it has caught up, a server authenticates reads of any version without catching up
 * again.
 */
const RECENT = 1000;

/** What this server knows of the other servers on its store. */
export interface Hearing {
  readonly isShared: boolean;
  /** The server has caught up within the last second. */
  readonly isRecent: boolean;
  /**
   * Waits, once for each request, until this server has seen everything that any server acknowledged. Throws ApiError.
   */
  catchUp(request: AuthenticationContext): Promise<void>;
}

/** `now` is in milliseconds and never goes back. */
export function hearing(
  { fresh, isShared }: Pick<IdentityServices, 'fresh' | 'isShared'>,
  now = (): number => performance.now(),
): Hearing {
  let heardAt = Number.NEGATIVE_INFINITY;
  return {
    isShared,
    get isRecent() {
      return now() - heardAt < RECENT;
    },
    catchUp: async (request) => {
      if (!isShared || request.isCaughtUp === true) return;
      const startedAt = now();
      await fresh(request);
      heardAt = Math.max(heardAt, startedAt);
      request.isCaughtUp = true;
    },
  };
}

/**
 * Waits until this server has caught up with the others before it authenticates. So a token revoked or a user disabled
 * on another server is refused here at once. A server that is alone on its store does not wait, and requests without a
 * credential do not wait, either. Some requests are authenticated on the present state (`mayGoOn`). They wait only if
 * they would be refused, because the refusal may be outdated.
 */
export function freshIdentities(authenticate: Authenticate, others: Hearing): Authenticate {
  if (!others.isShared) return authenticate;
  const afterAll = async (credentials: Credentials, request: AuthenticationContext): Promise<UserInfo> => {
    await others.catchUp(request);
    return authenticate(credentials, request);
  };
  const asItIs: Authenticate = (credentials, request) => {
    const again = (error: unknown): Promise<UserInfo> => {
      if (request.isCaughtUp === true) throw error;
      return afterAll(credentials, request);
    };
    // A session that this server has not heard of yet looks like no credential, which may be allowed.
    const conclude = (user: UserInfo): Promise<UserInfo> | UserInfo =>
      isAnonymous(user) ? afterAll(credentials, request) : user;
    try {
      const user = authenticate(credentials, request);
      return user instanceof Promise ? user.then(conclude, again) : conclude(user);
    } catch (error) {
      return again(error);
    }
  };
  return (credentials, request) => {
    const { authorization, cookie, certificate } = credentials;
    if (authorization === undefined && cookie === undefined && certificate === undefined)
      return authenticate(credentials, request);
    return (mayGoOn(request, others) ? asItIs : afterAll)(credentials, request);
  };
}

/**
 * Writes are checked again in their commit. Reads of any version take what the server had a second ago. Requests about
 * the server itself, such as its metrics, are needed most while the store does not answer.
 */
function mayGoOn(request: AuthenticationContext, others: Hearing): boolean {
  if (request.isCheckedInCommit === true || request.isAboutServer === true) return true;
  return request.takesAnyVersion === true && others.isRecent;
}
