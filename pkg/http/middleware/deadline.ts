import { timeout } from '../../kube/status/errors.js';
import { askedTimeout } from '../asked-timeout.js';
import type { Middleware, RequestState } from '../request.js';

const TOO_LATE = 'Timeout: request did not complete within the allotted timeout';

/**
 * Answers 504 when a handler takes longer than `milliseconds`, or than the shorter time that the client asks for, and
 * aborts it; what it answers afterwards is dropped.
 */
export function deadline(milliseconds: number): Middleware {
  return ({ state }, next) => {
    const most = Math.min(askedTimeout(state.query) ?? milliseconds, milliseconds);
    const done = next();
    // A request that is already done needs no timer. This is so for most reads.
    return done === undefined ? undefined : within(most, done, state);
  };
}

function within(milliseconds: number, done: Promise<void>, state: RequestState): Promise<void> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => {
      state.isGivenUp = true;
      state.abort(new Error('the request took too long'));
      reject(timeout(TOO_LATE));
    };
    const timer = setTimeout(giveUp, milliseconds).unref();
    const settle = (): void => {
      clearTimeout(timer);
      resolve();
    };
    const fail = (error: unknown): void => {
      clearTimeout(timer);
      reject(error);
    };
    done.then(settle, fail);
  });
}
