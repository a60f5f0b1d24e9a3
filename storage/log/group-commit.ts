/** Milliseconds. */
const MAX_DELAY = 12;
/** Delays as shares of the last commit's duration: while writers come back during the delay, and while they do not. */
const LONG = 1.5;
const SHORT = 0.5;
/**
 * After this many useless long delays, delays are short. Every `RETRY_EVERY`th is long again, to detect that writers
 * come back.
 */
const USELESS_LIMIT = 2;
const RETRY_EVERY = 8;
/** Milliseconds after a commit for which its writers are expected back. */
const EXPECTED_FOR = 20;

/**
 * The delay before a batch. Writers that were answered together often write again at once. If the first of them waits
 * for the others, all are in one batch, and a few large commits cost much less than many small ones. The delay learns
 * from earlier ones whether writers come back, so that slow writers do not make others wait.
 */
export class GroupCommitDelay {
  /** How many writes are expected in the next batch, and since when. */
  #expected = 0;
  #since = Number.NEGATIVE_INFINITY;
  #took = 0;
  #queued = 0;
  #end: (() => void) | undefined;
  #renew: (() => void) | undefined;
  #delays = 0;
  #useless = 0;
  readonly #now: () => number;

  /** `now` gives milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /**
   * Call this before a batch. Waits until as many writes are queued as in the last round, or until the delay ends.
   * `queued` writes are queued now.
   */
  async wait(queued: number): Promise<void> {
    const missing = this.#expected - queued;
    // A single writer has nobody to wait for.
    if (missing <= 0 || this.#expected < 2 || this.#now() - this.#since > EXPECTED_FOR) return;
    this.#queued = queued;
    const isLong = this.#useless < USELESS_LIMIT || ++this.#delays % RETRY_EVERY === 0;
    await this.#sleep(Math.min(this.#took * (isLong ? LONG : SHORT), MAX_DELAY));
    if (isLong) this.#useless = (this.#queued - queued) * 2 >= missing ? 0 : this.#useless + 1;
  }

  /**
   * Call this after a batch: `queued` writes are queued now, `completed` were just answered, and the commit took
   * `duration` milliseconds.
   */
  committed(queued: number, completed: number, duration: number): void {
    this.#expected = completed === 0 ? 0 : queued + completed;
    this.#took = duration;
    this.#since = this.#now();
  }

  /** Call this when a write is queued; `queued` is the new length of the queue. */
  grownTo(queued: number): void {
    this.#queued = queued;
    if (queued >= this.#expected) this.#end?.();
    else this.#renew?.();
  }

  /**
   * Each writer that comes back begins the delay again, because those who were answered together with it are likely to
   * follow.
   */
  async #sleep(milliseconds: number): Promise<void> {
    const latest = this.#now() + MAX_DELAY;
    await new Promise<void>((resolve) => {
      let timer = setTimeout(resolve, milliseconds);
      this.#end = () => {
        clearTimeout(timer);
        resolve();
      };
      this.#renew = () => {
        if (this.#now() + milliseconds > latest) return;
        clearTimeout(timer);
        timer = setTimeout(resolve, milliseconds);
      };
    });
    this.#end = undefined;
    this.#renew = undefined;
  }
}
