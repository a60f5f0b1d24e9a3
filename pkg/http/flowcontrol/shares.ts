/**
 * A bounded amount that flows share. A flow gets more only if its new total is not larger than the amount that was
 * free. So a flow alone gets half of the total. If n flows each take as much as possible, each gets one of n+1 equal
 * parts, and the last part is free for the next flow.
 */
export class Shares {
  readonly #total: number;
  readonly #most: number;
  readonly #held = new Map<string, number>();
  #used = 0;

  /** A flow never gets more than `maxShare`. */
  constructor(total: number, maxShare = Number.POSITIVE_INFINITY) {
    this.#total = total;
    this.#most = maxShare;
  }

  get used(): number {
    return this.#used;
  }

  get free(): number {
    return this.#total - this.#used;
  }

  usedBy(flow: string): number {
    return this.#held.get(flow) ?? 0;
  }

  /** Returns false, and takes nothing, if the flow would have more than is free. */
  take(flow: string, amount = 1): boolean {
    const used = this.usedBy(flow) + amount;
    if (used > this.free || used > this.#most) return false;
    this.add(flow, amount);
    return true;
  }

  /** Counts what the flow has already, also if that is more than its share. */
  add(flow: string, amount: number): void {
    this.#held.set(flow, this.usedBy(flow) + amount);
    this.#used += amount;
  }

  /** Gives back what the flow took. */
  give(flow: string, amount = 1): void {
    const used = this.usedBy(flow) - amount;
    if (used > 0) this.#held.set(flow, used);
    else this.#held.delete(flow);
    this.#used -= amount;
  }
}
