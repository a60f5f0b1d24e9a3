/** Milliseconds after which a process that has the turn and does nothing loses it. */
const PATIENCE = 100;
/** Milliseconds without a sign of the others after which a process appends alone. */
const ALONE_AFTER = 200;

/** Gives processes their turns to append, in the order in which they ask. Like all turns, these are only hints. */
export class ProcessTurns {
  readonly #waiting: { readonly process: object; readonly go: () => void }[] = [];
  /** When each process wanted to append the last time. */
  readonly #seen = new Map<object, number>();
  #holder: object | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** Resolves when it is the turn of this process. */
  take(process: object): Promise<void> {
    this.sees(process);
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

  /** Call this when a process wants to append without a turn. */
  sees(process: object): void {
    this.#seen.set(process, performance.now());
  }

  /** Whether nobody but this process wants to append at present, so that it needs no turns. */
  isAlone(process: object): boolean {
    const since = performance.now() - ALONE_AFTER;
    for (const [other, at] of this.#seen) if (other !== process && at > since) return false;
    return true;
  }

  /** The process is gone. */
  leave(process: object): void {
    this.#seen.delete(process);
    const remaining = this.#waiting.filter((one) => one.process !== process);
    this.#waiting.splice(0, this.#waiting.length, ...remaining);
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
