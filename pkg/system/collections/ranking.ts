/** Counts keys, and knows a key with the largest count. Each step takes constant time, however many keys there are. */
export class Ranking {
  readonly #counts = new Map<string, number>();
  /** The keys by their count. At 0 there is nothing. Those of one count are in the order in which they reached it. */
  readonly #ranks: Set<string>[] = [];

  countOf(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  /** The key that has had the largest count for the longest time; undefined if nothing is counted. */
  get largest(): string | undefined {
    return this.#ranks.at(-1)?.values().next().value;
  }

  add(key: string): void {
    this.#move(key, this.countOf(key), this.countOf(key) + 1);
  }

  remove(key: string): void {
    const count = this.countOf(key);
    if (count > 0) this.#move(key, count, count - 1);
  }

  #move(key: string, from: number, to: number): void {
    this.#ranks[from]?.delete(key);
    if (to === 0) {
      this.#counts.delete(key);
    } else {
      this.#counts.set(key, to);
      this.#ranks[0] ??= new Set();
      const rank = this.#ranks[to] ?? new Set<string>();
      this.#ranks[to] = rank.add(key);
    }
    while (this.#ranks.at(-1)?.size === 0) this.#ranks.pop();
  }
}
