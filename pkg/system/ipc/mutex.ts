import type { Port } from './calls.js';

/** Only one of several processes has it at a time. It is free again when that process ends. */
export class Mutex {
  readonly #waiting: { readonly owner: Port; readonly go: () => void }[] = [];
  /** The processes that have ever asked. */
  readonly #known = new WeakSet<Port>();
  #owner: Port | undefined;

  /** Resolves when `owner` has it. */
  async lock(owner: Port): Promise<void> {
    if (owner.closed.aborted) return;
    if (!this.#known.has(owner)) owner.closed.addEventListener('abort', () => this.#leave(owner), { once: true });
    this.#known.add(owner);
    if (this.#owner === undefined) {
      this.#owner = owner;
      return;
    }
    await new Promise<void>((go) => this.#waiting.push({ owner, go }));
  }

  unlock(owner: Port): void {
    if (this.#owner !== owner) return;
    const next = this.#waiting.shift();
    this.#owner = next?.owner;
    next?.go();
  }

  #leave(owner: Port): void {
    const left = this.#waiting.filter((waiter) => waiter.owner !== owner);
    this.#waiting.splice(0, this.#waiting.length, ...left);
    this.unlock(owner);
  }
}
