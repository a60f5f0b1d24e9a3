import { Shares } from './shares.js';

export interface Waiter {
  readonly flow: string;
  /** It has its seat and waits only for its turn. */
  readonly isSeated: boolean;
  /** Called when it has a seat and its turn has come. */
  start(): void;
}

/** The requests of one class: those that execute, each on a seat, and those that wait, in a queue for each flow. */
export class PriorityLevel {
  readonly #seats: Shares;
  readonly #room: Shares;
  /** By flow. The first is the flow whose turn is next. */
  readonly #queues = new Map<string, Set<Waiter>>();
  #dispatched = 0;

  constructor(seats: number, room: number, seatsPerFlow?: number) {
    this.#seats = new Shares(seats, seatsPerFlow);
    this.#room = new Shares(room);
  }

  get executing(): number {
    return this.#seats.used;
  }

  get waiting(): number {
    return this.#room.used;
  }

  /** How many requests have got a seat so far. */
  get dispatched(): number {
    return this.#dispatched;
  }

  hasQueue(flow: string): boolean {
    return this.#queues.has(flow);
  }

  /** Returns false if the flow has its share of the seats. */
  takeSeat(flow: string): boolean {
    if (!this.#seats.take(flow)) return false;
    this.#dispatched++;
    return true;
  }

  leave(flow: string): void {
    this.#seats.give(flow);
  }

  /** Returns false if the flow has its share of the queues. */
  add(waiter: Waiter): boolean {
    if (!this.#room.take(waiter.flow)) return false;
    const queue = this.#queues.get(waiter.flow);
    if (queue === undefined) this.#queues.set(waiter.flow, new Set([waiter]));
    else queue.add(waiter);
    return true;
  }

  /** Returns false if it does not wait any more. */
  remove(waiter: Waiter): boolean {
    const queue = this.#queues.get(waiter.flow);
    if (queue?.delete(waiter) !== true) return false;
    this.#room.give(waiter.flow);
    if (queue.size === 0) this.#queues.delete(waiter.flow);
    return true;
  }

  /**
   * Takes the next request that may start out of its queue: the flows in turn, and the requests of a flow in their
   * order.
   */
  next(): Waiter | undefined {
    for (const [flow, queue] of this.#queues) {
      const [first] = queue;
      if (first === undefined || !(first.isSeated || this.takeSeat(flow))) continue;
      this.#queues.delete(flow);
      this.#queues.set(flow, queue);
      this.remove(first);
      return first;
    }
    return undefined;
  }
}
