import type { ApiRequest } from '../../../pkg/http/handler.js';
import { assertValid } from '../../../pkg/identity/authn/user.js';
import { resourceVersionTooLarge, timeout } from '../../../pkg/kube/status/errors.js';
import type { Cacher } from '../../../storage/cacher/cacher.js';
import type { RequestedRevision } from './query.js';

/** Milliseconds that a read waits for a revision that does not exist yet (docs/wire-contract.md, section 3.2). */
const LONGEST_WAIT = 3000;

/** The part of a request that a wait needs. Its signal is created at the first use, because most reads do not wait. */
type WaitContext = Pick<ApiRequest, 'signal' | 'isCaughtUp'>;
type CallerContext = WaitContext & Pick<ApiRequest, 'user' | 'identifyAgain'>;

/**
 * Waits until the cache is as recent as `wanted`: the most recent state for `undefined`, any state for 0, and otherwise
 * a state that is not older. Undefined if there is nothing to wait for. Rejects with 504 and the cause
 * ResourceVersionTooLarge if the revision does not arrive in time.
 */
export function awaitRevision(
  cacher: Cacher,
  wanted: RequestedRevision | undefined,
  request: WaitContext,
): Promise<void> | undefined {
  // Also a read of any state must not answer from one that the store does not have.
  if (cacher.isDiverged) return cacher.reach(0);
  if (wanted === undefined) return cacher.shared && request.isCaughtUp !== true ? cacher.fresh(request) : undefined;
  return cacher.state.revision >= wanted ? undefined : reach(cacher, wanted, request);
}

async function reach(cacher: Cacher, wanted: RequestedRevision, request: WaitContext): Promise<void> {
  if (typeof wanted === 'bigint') throw resourceVersionTooLarge(wanted, cacher.state.revision);
  const deadline = AbortSignal.timeout(LONGEST_WAIT);
  try {
    await cacher.reach(wanted, AbortSignal.any([request.signal, deadline]));
  } catch (error) {
    if (deadline.aborted) throw resourceVersionTooLarge(wanted, cacher.state.revision);
    if (request.signal.aborted) throw timeout('the request ended while it was waiting for the store');
    throw error;
  }
}

/**
 * Waits until this server has seen all acknowledged writes, and makes sure then that the caller is who `request.user`
 * says. For decisions outside of a commit. Read `request.user` only afterwards.
 */
export async function awaitCaller(cacher: Cacher, request: CallerContext): Promise<void> {
  if (request.identifyAgain !== undefined) return request.identifyAgain();
  await awaitRevision(cacher, undefined, request);
  assertValid(request.user);
}
