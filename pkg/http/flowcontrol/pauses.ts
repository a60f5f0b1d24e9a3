import { eventLoop, type Loop } from './quantum.js';
import { Shares } from './shares.js';

/** How many refusals are held back. */
const MOST = 10_000;
/** Milliseconds, on average. */
const PAUSE = 1000;

/**
 * Holds refusals back for a second. A client that ignores Retry-After sends its next request when it has the answer,
 * and many connections with such clients would keep the server busy with refusals.
 */
export class Pauses {
  readonly #held = new Shares(MOST);
  readonly #loop: Loop;

  constructor(loop: Loop = eventLoop) {
    this.#loop = loop;
  }

  /** Resolves after the pause, when the client leaves, or at once if the flow has its share of them. */
  pause(flow: string, signal: AbortSignal): Promise<void> {
    if (signal.aborted || !this.#held.take(flow)) return Promise.resolve();
    return new Promise((resolve) => {
      const end = (): void => {
        cancel();
        signal.removeEventListener('abort', end);
        this.#held.give(flow);
        resolve();
      };
      // Refusals of the same moment do not come back in the same moment.
      const cancel = this.#loop.after(PAUSE * (0.5 + Math.random()), end);
      signal.addEventListener('abort', end);
    });
  }
}
