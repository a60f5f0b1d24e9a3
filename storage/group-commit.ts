/** Milliseconds. */
const MAX_DELAY = 12;
/** Delays as shares of the last commit's duration: while writers come back during the delay, and while they do not. */
const LONG = 1.5;
const SHORT = 0.5;
/** After this many useless long delays, delays are short. Every `RETRY_EVERY`th is long again, to detect that writers come back. */
const USELESS_LIMIT = 2;
const RETRY_EVERY = 8;

/**
 * The delay between two batches. Writers that were just answered often write again at once. If they do so during the delay, their writes
 * join those that already wait in one batch, and a few large commits cost much less than many small ones. The delay learns from earlier
 * ones whether writers come back, so that slow writers do not make others wait.
 */
export class GroupCommitDelay {
  #expected = Number.POSITIVE_INFINITY;
  #queued = 0;
  #end: (() => void) | undefined;
  #delays = 0;
  #useless = 0;

  /**
   * Waits until as many writes are queued as in the last round, or until the delay ends.
   * `queued` writes are queued now, `answered` were just answered, and `took` is the duration of the last commit in milliseconds.
   */
  async wait(queued: number, answered: number, took: number): Promise<void> {
    // A single writer has nobody to wait for.
    if (answered === 0 || queued + answered < 2) return;
    this.#expected = queued + answered;
    this.#queued = queued;
    const isLong = this.#useless < USELESS_LIMIT || ++this.#delays % RETRY_EVERY === 0;
    await this.#sleep(Math.min(took * (isLong ? LONG : SHORT), MAX_DELAY));
    if (isLong) this.#useless = (this.#queued - queued) * 2 >= answered ? 0 : this.#useless + 1;
  }

  /** Call this when a write is queued; `queued` is the new length of the queue. */
  grownTo(queued: number): void {
    this.#queued = queued;
    if (queued >= this.#expected) this.#end?.();
  }

  async #sleep(milliseconds: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.#end = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#end = undefined;
  }
}
