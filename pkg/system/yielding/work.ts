/** Units of work after which it pauses. */
const STEP = 1000;
/** Units after which work that cannot pause is given up, and done again with pauses. */
const LATE = 5000;
/** Units of a whole validation. Other writes wait for it. The largest bodies with usual schemas take a tenth. */
const MOST = 5_000_000;

/** What a validation has done, in units of about a microsecond. */
export class Work {
  #done = 0;
  #due = STEP;
  #late = Number.POSITIVE_INFINITY;

  add(units: number): void {
    this.#done += units;
  }

  /** Counts one unit. Whether it is time to pause. */
  count(): boolean {
    this.#done++;
    return this.isDue();
  }

  /** Whether it is time to pause. */
  isDue(): boolean {
    if (this.#done < this.#due) return false;
    this.#due = this.#done + STEP;
    return true;
  }

  /** Whether it takes longer than a validation may. Then the value is refused. */
  get isSpent(): boolean {
    return this.#done > MOST;
  }

  /** Whether nothing more may be done now. */
  get isStopped(): boolean {
    return this.#done > this.#late || this.#done > MOST;
  }

  /** Does work that cannot pause. False if it was given up, because it takes too long. */
  isDoneAtOnce(work: () => void): boolean {
    this.#late = this.#done + LATE;
    work();
    const isDone = !this.isStopped;
    this.#late = Number.POSITIVE_INFINITY;
    return isDone;
  }
}
