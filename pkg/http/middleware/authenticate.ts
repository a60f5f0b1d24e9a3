import type { IncomingMessage } from 'node:http';
import type { Authenticate } from '../../identity/authn/chain.js';
import { isAnonymous, type UserInfo } from '../../identity/authn/user.js';
import { connectionOf } from '../connections.js';
import { credentialsOf } from '../peer.js';
import type { Done, Middleware } from '../pipeline.js';
import type { RequestState } from '../request.js';
import { assertExpected, EXPECTED_USER } from './expected-user.js';

/**
 * Finds out who is calling. Throws 401 for callers who are not known, except where anyone may call, and for others than
 * the page was made for.
 */
export function authenticate(chain: Authenticate): Middleware {
  const again = async (req: IncomingMessage, state: RequestState): Promise<void> => {
    state.identifyAgain = undefined;
    state.isCheckedInCommit = false;
    state.user = await chain(credentialsOf(req, state.client), state);
  };
  return ({ req, state }, next) => {
    const { mount } = state;
    if (mount?.isPublic === true) return next();
    state.isCheckedInCommit = mount?.isResourceApi === true && state.isMutating;
    state.takesAnyVersion = mount?.isResourceApi === true && state.asksForAnyVersion;
    state.isAboutServer = mount?.isAboutServer === true;
    const user = chain(credentialsOf(req, state.client), state);
    const admit = (caller: UserInfo): Done => {
      assertExpected(req.headers[EXPECTED_USER], caller);
      state.user = caller;
      if (!isAnonymous(caller)) connectionOf(req.socket)?.identify();
      if (state.isCheckedInCommit && !state.isCaughtUp) state.identifyAgain = () => again(req, state);
      return next();
    };
    return user instanceof Promise ? user.then(admit) : admit(user);
  };
}
