/**
 * Wakes everyone who waits. A waiter that comes later waits for the next notification, so a caller checks its condition
 * and then waits, without an `await` between the two. By hand because `events.once` warns of many listeners and hides
 * the signal's reason.
 */
export class Signal {
  readonly #waiters = new Set<() => void>();

  notify(): void {
    const woken = [...this.#waiters];
    this.#waiters.clear();
    for (const wake of woken) wake();
  }

  /** Rejects with the signal's reason if the signal aborts first. */
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

  /** Like `wait`, but also resolves when the signal aborts: for loops that check the signal themselves. */
  async waitOrAbort(signal: AbortSignal): Promise<void> {
    await this.wait(signal).catch(() => undefined);
  }
}
