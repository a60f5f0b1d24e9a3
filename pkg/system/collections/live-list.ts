interface Link<T> {
  previous: Link<T> | undefined;
  next: Link<T> | undefined;
  readonly value: T;
}

/**
 * Values that come and go, in the order in which they came. A Set would keep the values that have left alive: V8 copies
 * the table of a Set again and again, and what was in an old table stays until the next large collection of garbage.
 */
export class LiveList<T> implements Iterable<T> {
  #first: Link<T> | undefined;
  #last: Link<T> | undefined;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Returns a function that removes the value. */
  add(value: T): () => void {
    const link: Link<T> = { previous: this.#last, next: undefined, value };
    if (this.#last === undefined) this.#first = link;
    else this.#last.next = link;
    this.#last = link;
    this.#size++;
    let isIn = true;
    return () => {
      if (isIn) this.#remove(link);
      isIn = false;
    };
  }

  /** The values at the start of the iteration. */
  [Symbol.iterator](): Iterator<T> {
    const values: T[] = [];
    for (let link = this.#first; link !== undefined; link = link.next) values.push(link.value);
    return values[Symbol.iterator]();
  }

  /** The link forgets its neighbours, because it would keep them alive, too. */
  #remove(link: Link<T>): void {
    const { previous, next } = link;
    if (previous === undefined) this.#first = next;
    else previous.next = next;
    if (next === undefined) this.#last = previous;
    else next.previous = previous;
    link.previous = undefined;
    link.next = undefined;
    this.#size--;
  }
}
