import type { Context } from './pipeline.js';
import { flowOf } from './request.js';

/**
 * The most requests of all clients together that wait for their clients. Each takes about 8 KB, and its answer up to 16
 * KiB that do not count elsewhere.
 */
export const MOST_IDLE = 2_000;
/** Milliseconds after which a request may be cut off. Younger ones may only be on their way. */
const LEAST_AGE = 1_000;

/**
 * The requests to cut off, so that no more than `max` wait for their clients. A stream of HTTP/2 costs its client ten
 * bytes, and it stays until the client has sent the body and taken the answer. The users, or addresses of strangers,
 * with the most of them lose the oldest.
 */
export function excessOf(live: Iterable<Context>, max = MOST_IDLE, now = performance.now()): Context[] {
  const flows = new Map<string, Context[]>();
  let count = 0;
  for (const ctx of live) {
    if (!isIdle(ctx, now)) continue;
    const flow = flowOf(ctx.state);
    const requests = flows.get(flow);
    if (requests === undefined) flows.set(flow, [ctx]);
    else requests.push(ctx);
    count++;
  }
  if (count <= max) return [];
  const all = [...flows.values()].sort((a, b) => a.length - b.length);
  const share = shareOf(
    all.map(({ length }) => length),
    max,
  );
  return all.flatMap((requests) => requests.slice(0, Math.max(0, requests.length - share)));
}

/** Waits for the rest of the body, or for its client to take the answer. A watch waits for neither. */
function isIdle({ res, state }: Context, now: number): boolean {
  if (state.watch !== undefined || now - state.startedAt < LEAST_AGE) return false;
  return res.writableEnded || !state.isAdmitted;
}

/** How many each may keep, so that all keep `max` together at most. `counts` are in order, the smallest first. */
function shareOf(counts: readonly number[], max: number): number {
  let free = max;
  for (const [i, count] of counts.entries()) {
    const share = Math.floor(free / (counts.length - i));
    if (count > share) return share;
    free -= count;
  }
  return max;
}
