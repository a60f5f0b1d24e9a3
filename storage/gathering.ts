/** Milliseconds. */
const LONGEST = 5;

/**
 * A pause between two batches. Writers that were just answered tend to write again at once: if they come soon enough, they and those who
 * wait already go in one batch, and a few large commits cost much less than many small ones.
 */
export class Gathering {
  #enough = Number.POSITIVE_INFINITY;
  #go: (() => void) | undefined;

  /** Until as many wait as there were lately, but no longer than half the time (ms) that the last commit took: none waits longer than it saves. */
  async wait(waiting: number, answered: number, took: number): Promise<void> {
    // A writer alone has nobody to wait for.
    if (answered === 0 || waiting + answered < 2) return;
    this.#enough = waiting + answered;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, Math.min(took / 2, LONGEST));
      this.#go = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#go = undefined;
  }

  /** So many wait now. */
  grownTo(waiting: number): void {
    if (waiting >= this.#enough) this.#go?.();
  }
}
