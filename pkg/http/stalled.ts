import type { Context } from './pipeline.js';

interface Progress {
  /** Bytes that the client had not taken yet when it was last looked at. */
  remaining: number;
  since: number;
}

/**
 * Cuts off clients that take nothing of their responses. Otherwise the server would have to keep the bytes for them.
 */
export class StalledResponses {
  readonly #progress = new WeakMap<Context, Progress>();
  readonly #timeout: number;

  /** `timeout` in milliseconds. */
  constructor(timeout: number) {
    this.#timeout = timeout;
  }

  /** Call this for each response at regular times. */
  check(ctx: Context, now = performance.now()): void {
    const remaining = ctx.res.writableLength;
    const known = this.#progress.get(ctx);
    if (known === undefined) {
      if (remaining > 0) this.#begin(ctx, remaining, now);
    } else if (remaining < known.remaining) {
      known.remaining = remaining === 0 ? Number.POSITIVE_INFINITY : remaining;
      known.since = now;
    } else if (now - known.since >= this.#timeout) {
      ctx.res.destroy();
    }
  }

  #begin(ctx: Context, remaining: number, since: number): void {
    const progress = { remaining, since };
    this.#progress.set(ctx, progress);
    // Between two checks, a stream may be emptied and filled again.
    ctx.res.on('drain', () => {
      progress.remaining = Number.POSITIVE_INFINITY;
    });
  }
}
