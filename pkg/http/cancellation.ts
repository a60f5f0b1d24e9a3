/**
 * Whether a request was given up. It is as much of an AbortSignal as most requests need. A signal itself takes as long
 * to make as decoding a small object.
 */
export class Cancellation {
  aborted = false;
  reason: unknown;
  #listeners: (() => void)[] = [];

  /** Keeps the first reason. Returns false if there was one. */
  abort(reason: Error): boolean {
    if (this.aborted) return false;
    this.aborted = true;
    this.reason = reason;
    for (const listener of this.#listeners.splice(0)) listener();
    return true;
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.push(listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    const at = this.#listeners.indexOf(listener);
    if (at >= 0) this.#listeners.splice(at, 1);
  }
}
