/** A map that forgets what was used longest ago when it is full, and everything when its time is over. */
export class BoundedMap<V> {
  readonly #entries = new Map<string, { readonly value: V; readonly until: number }>();
  readonly #most: number;
  readonly #milliseconds: number;
  readonly #now: () => number;

  constructor(most: number, milliseconds: number, now: () => number) {
    this.#most = most;
    this.#milliseconds = milliseconds;
    this.#now = now;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): V | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    if (entry.until <= this.#now()) return undefined;
    this.#entries.set(key, entry);
    return entry.value;
  }

  set(key: string, value: V): void {
    this.#entries.delete(key);
    this.#entries.set(key, { value, until: this.#now() + this.#milliseconds });
    if (this.#entries.size <= this.#most) return;
    for (const oldest of this.#entries.keys()) {
      this.#entries.delete(oldest);
      return;
    }
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }
}
