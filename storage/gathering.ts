/** Milliseconds. */
const LONGEST = 12;
/** Shares of the time that the last commit took: while those who are answered come back in it, and otherwise. */
const LONG = 1.5;
const SHORT = 0.5;
/** After so many long pauses in vain they are short, but for every so many-th, to see whether that still holds. */
const IN_VAIN = 2;
const TRY_EVERY = 8;

/**
 * A pause between two batches. Writers that were just answered tend to write again at once: if they come soon enough, they and those who
 * wait already go in one batch, and a few large commits cost much less than many small ones. Whether they do is learnt from the pauses
 * before, so that writers who take their time do not make others wait for them.
 */
export class Gathering {
  #enough = Number.POSITIVE_INFINITY;
  #waiting = 0;
  #go: (() => void) | undefined;
  #pauses = 0;
  #inVain = 0;

  /** Until as many wait as there were lately, or the pause is over; `took` (ms) is the time of the last commit. */
  async wait(waiting: number, answered: number, took: number): Promise<void> {
    // A writer alone has nobody to wait for.
    if (answered === 0 || waiting + answered < 2) return;
    this.#enough = waiting + answered;
    this.#waiting = waiting;
    const isLong = this.#inVain < IN_VAIN || ++this.#pauses % TRY_EVERY === 0;
    await this.#pause(Math.min(took * (isLong ? LONG : SHORT), LONGEST));
    if (isLong) this.#inVain = (this.#waiting - waiting) * 2 >= answered ? 0 : this.#inVain + 1;
  }

  /** So many wait now. */
  grownTo(waiting: number): void {
    this.#waiting = waiting;
    if (waiting >= this.#enough) this.#go?.();
  }

  async #pause(milliseconds: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.#go = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#go = undefined;
  }
}
