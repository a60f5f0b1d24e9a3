import { isStream } from '../body-writer.js';
import { overloaded } from '../errors.js';
import { Shares } from '../flowcontrol/shares.js';
import { after, type Context, type Middleware } from '../pipeline.js';
import { flowOf } from '../request.js';

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
    return after(next(), ctx, count);
  };
}

/** Bytes of a flow, and how many of its answers have them. */
interface Held {
  readonly amount: number;
  answers: number;
}

/**
 * The bytes of answers that clients have not taken yet, shared between the flows. Answers of a flow that have the same
 * bytes, such as a file of the console, count once.
 */
export class PendingBytes {
  readonly #total: number;
  readonly #shares: Shares;
  readonly #held = new Map<string, Map<ArrayBufferLike, Held>>();

  constructor(total: number) {
    this.#total = total;
    this.#shares = new Shares(total);
  }

  get used(): number {
    return this.#shares.used;
  }

  /** Whether the flow has its share. A flow without an answer never has. */
  isFull(flow: string): boolean {
    const held = this.#shares.usedBy(flow);
    return held > 0 && held >= this.#shares.free;
  }

  /**
   * Returns false, and counts nothing, if the flow would have more than its share. The first answer of a flow may be of
   * any size while anything is free, and counts as at most half.
   */
  take(flow: string, bytes: Uint8Array): boolean {
    if (this.#countAgain(flow, bytes)) return true;
    const amount = this.#held.has(flow) ? bytes.length : Math.min(bytes.length, this.#total / 2, this.#shares.free);
    if (amount <= 0 || !this.#shares.take(flow, amount)) return false;
    this.#hold(flow, bytes, amount);
    return true;
  }

  /** Counts an answer that must be sent. */
  add(flow: string, bytes: Uint8Array): void {
    if (this.#countAgain(flow, bytes)) return;
    this.#shares.add(flow, bytes.length);
    this.#hold(flow, bytes, bytes.length);
  }

  /** The client has taken the answer, or is gone. */
  give(flow: string, { buffer }: Uint8Array): void {
    const all = this.#held.get(flow);
    const held = all?.get(buffer);
    if (all === undefined || held === undefined || --held.answers > 0) return;
    all.delete(buffer);
    if (all.size === 0) this.#held.delete(flow);
    this.#shares.give(flow, held.amount);
  }

  #countAgain(flow: string, { buffer }: Uint8Array): boolean {
    const held = this.#held.get(flow)?.get(buffer);
    if (held !== undefined) held.answers++;
    return held !== undefined;
  }

  #hold(flow: string, { buffer }: Uint8Array, amount: number): void {
    let all = this.#held.get(flow);
    if (all === undefined) {
      all = new Map();
      this.#held.set(flow, all);
    }
    all.set(buffer, { amount, answers: 1 });
  }
}
