import { assertValid } from '../../pkg/authn/user.js';
import type { ApiRequest } from '../../pkg/http/exchange.js';
import { resourceVersionTooLarge, timeout } from '../../pkg/status/errors.js';
import type { Cacher } from '../../storage/cacher/cacher.js';
import type { AskedRevision } from './query.js';

/** How long a read waits for a revision that does not exist yet (docs/wire-contract.md, section 3.2). */
const LONGEST_WAIT = 3000;

/** What a wait needs of a request, whose signal is created on first use: most reads do not wait. */
type WaitContext = Pick<ApiRequest, 'signal' | 'isCaughtUp'>;

/**
 * Makes the cache as recent as a read asks: `undefined` the most recent, 0 as it is, else not older than that. Throws 504 with the cause
 * ResourceVersionTooLarge for a revision that does not come.
 */
export async function awaitRevision(
  cacher: Cacher,
  wanted: AskedRevision | undefined,
  request: WaitContext,
): Promise<void> {
  if (wanted === undefined) {
    if (cacher.shared && request.isCaughtUp !== true) await cacher.fresh(request);
    return;
  }
  if (cacher.state.revision >= wanted) return;
  if (typeof wanted === 'bigint') throw resourceVersionTooLarge(wanted, cacher.state.revision);
  const deadline = AbortSignal.timeout(LONGEST_WAIT);
  try {
    await cacher.reach(wanted, AbortSignal.any([request.signal, deadline]));
  } catch (error) {
    if (deadline.aborted) throw resourceVersionTooLarge(wanted, cacher.state.revision);
    if (request.signal.aborted) throw timeout('the request ended while it waited for the store');
    throw error;
  }
}

/** What is decided outside a commit waits until everything acknowledged is seen here, and asks then whether the caller still counts. */
export async function awaitCaller(cacher: Cacher, request: WaitContext & Pick<ApiRequest, 'user'>): Promise<void> {
  await awaitRevision(cacher, undefined, request);
  assertValid(request.user);
}
