/** Milliseconds after which a process that has the turn and does nothing loses it. */
const PATIENCE = 100;

/** Gives the turns to append to one process after another, in the order in which they ask. As all turns, these are only hints. */
export class Floor {
  readonly #waiting: { readonly process: object; readonly go: () => void }[] = [];
  #holder: object | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** Resolves when it is the turn of this process. */
  take(process: object): Promise<void> {
    if (this.#holder === process) this.release(process);
    return new Promise((go) => {
      this.#waiting.push({ process, go });
      if (this.#holder === undefined) this.#next();
    });
  }

  /** Call this when the process has appended, or found nothing to append. */
  release(process: object): void {
    if (this.#holder !== process) return;
    this.#holder = undefined;
    this.#next();
  }

  /** The process is gone. */
  leave(process: object): void {
    const left = this.#waiting.filter((one) => one.process !== process);
    this.#waiting.splice(0, this.#waiting.length, ...left);
    this.release(process);
  }

  #next(): void {
    clearTimeout(this.#timer);
    const next = this.#waiting.shift();
    if (next === undefined) return;
    this.#holder = next.process;
    this.#timer = setTimeout(() => this.release(next.process), PATIENCE).unref();
    next.go();
  }
}
