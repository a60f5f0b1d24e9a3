/**
 * Waiting items, each under the key of its owner. The keys take turns. The items of one key come in the order in which
 * they were added.
 */
export class FairQueue<T> {
  readonly #waiting = new Map<string, T[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** How many of this key wait. */
  countOf(key: string): number {
    return this.#waiting.get(key)?.length ?? 0;
  }

  add(key: string, item: T): void {
    const items = this.#waiting.get(key);
    if (items === undefined) this.#waiting.set(key, [item]);
    else items.push(item);
    this.#size++;
  }

  /** Takes the first item of the key whose turn it is. */
  next(): T | undefined {
    for (const [key, items] of this.#waiting) {
      const item = items.shift();
      // A key that is set again goes behind the others.
      this.#waiting.delete(key);
      if (items.length > 0) this.#waiting.set(key, items);
      this.#size--;
      return item;
    }
    return undefined;
  }

  /** Takes the last item of the key that has the most, if it has more than `count`. */
  takeFromLongest(count: number): T | undefined {
    let longest: [string, T[]] | undefined;
    for (const entry of this.#waiting) if (entry[1].length > (longest?.[1].length ?? count)) longest = entry;
    if (longest === undefined) return undefined;
    const [key, items] = longest;
    const item = items.pop();
    if (items.length === 0) this.#waiting.delete(key);
    this.#size--;
    return item;
  }
}
