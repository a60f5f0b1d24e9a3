/** Milliseconds. */
const SECOND = 1000;
/** How many flows are looked at, each time that a flow takes something, to forget those with a full budget. */
const LOOKED_AT = 2;

export interface BudgetOptions {
  /** How much a flow may take at once. */
  readonly burst: number;
  /** How much is added each second. */
  readonly perSecond: number;
  /** Milliseconds. By default, the time since the process began. */
  readonly now?: () => number;
}

interface Bucket {
  level: number;
  time: number;
}

/**
 * An amount for each flow, which is used up and comes back with time: a token bucket. A flow that has anything left may
 * take as much as it asks for, and then owes the rest. So one large request is possible, and the next has to wait.
 * Flows with a full budget take no memory.
 */
export class Budget {
  readonly #burst: number;
  readonly #perMillisecond: number;
  readonly #now: () => number;
  /** The flows that have less than the full budget, the one that took first at the front. */
  readonly #buckets = new Map<string, Bucket>();

  constructor({ burst, perSecond, now = () => performance.now() }: BudgetOptions) {
    this.#burst = burst;
    this.#perMillisecond = perSecond / SECOND;
    this.#now = now;
  }

  /** How many flows have less than the full budget. */
  get flows(): number {
    return this.#buckets.size;
  }

  /** Takes an amount. Returns 0, or the seconds until the flow may take something again. Then nothing is taken. */
  take(flow: string, amount: number): number {
    const now = this.#now();
    this.#forgetSome(now);
    const level = this.#levelOf(this.#buckets.get(flow), now);
    if (level <= 0) return Math.floor(-level / this.#perMillisecond / SECOND) + 1;
    this.#set(flow, level - amount, now);
    return 0;
  }

  /** Gives back what was taken and not used. */
  give(flow: string, amount: number): void {
    const bucket = this.#buckets.get(flow);
    if (bucket !== undefined) bucket.level += amount;
  }

  #levelOf(bucket: Bucket | undefined, now: number): number {
    if (bucket === undefined) return this.#burst;
    return Math.min(this.#burst, bucket.level + (now - bucket.time) * this.#perMillisecond);
  }

  #set(flow: string, level: number, time: number): void {
    this.#buckets.delete(flow);
    this.#buckets.set(flow, { level, time });
  }

  /**
   * The flows at the front have not taken anything for the longest time. One that still owes something goes to the end,
   * so that it hides no other.
   */
  #forgetSome(now: number): void {
    for (let i = 0; i < LOOKED_AT; i++) {
      const [first] = this.#buckets;
      if (first === undefined) return;
      const [flow, bucket] = first;
      const level = this.#levelOf(bucket, now);
      if (level >= this.#burst) this.#buckets.delete(flow);
      else this.#set(flow, level, now);
    }
  }
}
