/** Knows how many drafts of the state are being written to, and runs what must wait until there are none. */
export class Drafts {
  #count = 0;
  readonly #waiting: (() => void)[] = [];

  /** A draft of the state is about to be written to. Call the result when it is published, or given up. */
  hold(): () => void {
    this.#count++;
    return () => {
      this.#count--;
      this.#run();
    };
  }

  /** Runs `work`, which must not throw, as soon as nobody writes to a draft. */
  whenFree(work: () => void): void {
    this.#waiting.push(work);
    this.#run();
  }

  #run(): void {
    if (this.#count === 0) for (const work of this.#waiting.splice(0)) work();
  }
}
