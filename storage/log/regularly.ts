export interface RegularWork {
  readonly onError: (error: unknown) => void;
  /** If several servers share a store, only the elected one does the work. */
  readonly isElected?: (() => boolean) | undefined;
}

/**
 * One piece of work at a time, and none is queued: if the store is slow or unavailable, the next period tries again.
 */
export class Regularly {
  readonly #options: RegularWork;
  readonly #timers: NodeJS.Timeout[] = [];
  #running: Promise<void> | undefined;
  #isStopped = false;

  constructor(options: RegularWork) {
    this.#options = options;
  }

  /** Whether work that is under way should end. */
  get isOver(): boolean {
    return this.#isStopped || !this.#isElected();
  }

  /** `period` is in milliseconds. */
  start(period: number, work: () => Promise<void>): void {
    const run = (): void => {
      if (!this.#isElected()) return;
      this.#running ??= work()
        .catch(this.#options.onError)
        .finally(() => {
          this.#running = undefined;
        });
    };
    this.#timers.push(setInterval(run, period).unref());
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const timer of this.#timers) clearInterval(timer);
    await this.#running;
  }

  #isElected(): boolean {
    return this.#options.isElected?.() ?? true;
  }
}
