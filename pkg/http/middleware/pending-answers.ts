import { isStream } from '../body-writer.js';
import { after } from '../done.js';
import { overloaded } from '../errors.js';
import { flowOf } from '../flow.js';
import { PendingBytes } from '../pending.js';
import type { Context, Middleware } from '../request.js';

/** The most bytes of all whole answers to reads together that clients have not taken, and of those to writes. */
const MOST_PENDING = 256 * 2 ** 20;
/**
 * Smaller answers do not count. A connection of HTTP/2 has a thousand streams, each with an answer that waits for its
 * client.
 */
const LEAST = 16 * 1024;

/**
 * Bounds what the server keeps for clients that ask for large objects and read nothing. Streams need no bound, because
 * they are made while the client takes them. A read above the share of its caller is answered 429. A write that was
 * done is always answered, so the next one is refused before it begins.
 */
export function pendingAnswers(total = MOST_PENDING): Middleware {
  const reads = new PendingBytes(total);
  const writes = new PendingBytes(total);
  const count = (ctx: Context): undefined => {
    const { res, state } = ctx;
    const body = state.response?.body;
    if (body === undefined || isStream(body) || body.length <= LEAST) return;
    if (state.isClosed || state.method === 'HEAD') return;
    const flow = flowOf(state);
    const pending = state.isMutating ? writes : reads;
    if (state.isMutating) pending.add(flow, body);
    else if (!pending.take(flow, body)) throw overloaded();
    res.once('close', () => pending.give(flow, body));
  };
  return (ctx, next) => {
    const { state } = ctx;
    if (state.isMutating && writes.used > 0 && writes.isFull(flowOf(state))) throw overloaded();
    return after(next(), () => count(ctx));
  };
}
