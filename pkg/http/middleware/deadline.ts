import { badRequest, timeout } from '../../kube/status/errors.js';
import { goDuration } from '../../system/time/go-duration.js';
import type { Middleware } from '../pipeline.js';
import type { RequestState } from '../request.js';

const TOO_LATE = 'Timeout: request did not complete within the allotted timeout';

/**
 * Answers 504 when a handler takes longer than `milliseconds`, or than the shorter time that the client asks for, and
 * aborts it; what it answers afterwards is dropped.
 */
export function deadline(milliseconds: number): Middleware {
  return ({ state }, next) => {
    const allotted = Math.min(askedTimeout(state.query) ?? milliseconds, milliseconds);
    const done = next();
    // A request that is already done needs no timer. This is so for most reads.
    return done === undefined ? undefined : within(allotted, done, state);
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

/**
 * The milliseconds of `?timeout=30s`, in which a client wants its answer: the longest time of a request, or the length
 * of a watch. As in Kubernetes, none or a negative one leaves it to the server. Throws 400 for what is not a duration
 * of Go.
 */
export function askedTimeout(query: URLSearchParams): number | undefined {
  const text = query.get('timeout') ?? '';
  if (text === '') return undefined;
  const nanos = goDuration(text);
  if (nanos === undefined)
    throw badRequest(
      `invalid timeout specified in the request URL: ${JSON.stringify(text.slice(0, 100))} is no duration, such as 30s or 1m30s`,
    );
  return nanos > 0n ? Number(nanos) / 1e6 : undefined;
}
