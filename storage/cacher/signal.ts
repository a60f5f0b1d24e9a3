/**
 * Wakes everyone who waits. Close-and-replace, so that a waiter that comes later waits for the next: look at the state first, then wait,
 * with nothing in between.
 */
export class Signal {
  readonly #waiters = new Set<() => void>();

  notify(): void {
    const woken = [...this.#waiters];
    this.#waiters.clear();
    for (const wake of woken) wake();
  }

  /** Rejects with the signal's reason when it aborts first. */
  wait(signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    return new Promise((resolve, reject) => {
      const wake = (): void => {
        signal?.removeEventListener('abort', abort);
        resolve();
      };
      const abort = (): void => {
        this.#waiters.delete(wake);
        reject(signal?.reason);
      };
      this.#waiters.add(wake);
      signal?.addEventListener('abort', abort, { once: true });
    });
  }
}
