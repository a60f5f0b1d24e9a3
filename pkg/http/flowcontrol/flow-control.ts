import { PriorityLevel, type Waiter } from './level.js';
import { eventLoop, type Loop, Quantum } from './quantum.js';

/** The most requests that have a seat and wait only for their turn. A client may open many watches at once. */
const MOST_SEATED = 10_000;

/** Why a request did not start, in the words of Kubernetes. */
export type Rejection = 'queue-full' | 'concurrency-limit' | 'time-out' | 'cancelled';

export interface LevelOptions {
  /** How many requests execute at the same time. */
  readonly seats: number;
  /** How many of one flow, if that is less than its share. */
  readonly seatsPerFlow?: number;
  /**
   * What becomes of a request that gets no seat. Exempt requests need none: they only take turns, and are never
   * rejected.
   */
  readonly type: 'Queue' | 'Reject' | 'Exempt';
}

export interface FlowControlOptions<Name extends string> {
  readonly levels: Readonly<Record<Name, LevelOptions>>;
  /** How many requests may wait in each level. */
  readonly maxQueued: number;
  /** How many milliseconds a request may wait. */
  readonly waitLimit: number;
  readonly observer?: FlowObserver;
  readonly loop?: Loop;
}

/** Observes requests that waited or were rejected. Those that start at once are only counted. */
export interface FlowObserver {
  waited(level: string, seconds: number, isExecuted: boolean): void;
  rejected(level: string, reason: Rejection): void;
}

/** Whether the request is given up. An AbortSignal is one. */
export interface Abandonment {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** Thrown for a request that does not start. */
export class RejectedError extends Error {
  readonly reason: Rejection;

  constructor(reason: Rejection) {
    super(`the request was rejected: ${reason}`);
    this.reason = reason;
  }
}

/**
 * Fair queuing, after Kubernetes' API Priority and Fairness (docs/adr/0019). A flow is the requests of one user or one
 * address. It has a share of the seats and of the queue of each level. A request starts at once if it gets a seat and
 * the turn of the event loop is not used up. Otherwise it waits, and the flows take turns.
 */
export class FlowControl<Name extends string> {
  readonly #options: FlowControlOptions<Name>;
  readonly #loop: Loop;
  readonly #levels: Readonly<Record<Name, PriorityLevel>>;
  /** The first is the level whose turn is next. */
  readonly #order: PriorityLevel[];
  readonly #quantum = new Quantum();
  #isArmed = false;
  /** When the last turn ended, if it left requests that may start. */
  #since: number | undefined;

  constructor(options: FlowControlOptions<Name>) {
    this.#options = options;
    this.#loop = options.loop ?? eventLoop;
    const levels = Object.entries<LevelOptions>(options.levels).map(
      ([name, { seats, seatsPerFlow, type }]) =>
        [name, new PriorityLevel(seats, type === 'Queue' ? options.maxQueued : MOST_SEATED, seatsPerFlow)] as const,
    );
    this.#levels = Object.fromEntries(levels) as Record<Name, PriorityLevel>;
    this.#order = levels.map(([, level]) => level);
  }

  level(name: Name): Pick<PriorityLevel, 'executing' | 'waiting' | 'dispatched'> {
    return this.#levels[name];
  }

  /**
   * Starts a request that has just come. Returns false if it has to `wait`. Call `leave` after each request that
   * started.
   */
  start(name: Name, flow: string): boolean {
    const level = this.#levels[name];
    if (level.hasQueue(flow) || !this.#quantum.allows(flow, this.#loop.turn()) || !level.takeSeat(flow)) return false;
    this.#quantum.started(flow);
    return true;
  }

  /**
   * Resolves when the request has started. Rejects with RejectedError if the flow has its share, or the request waits
   * too long.
   */
  async wait(name: Name, flow: string, signal: Abandonment): Promise<void> {
    const level = this.#levels[name];
    const { type } = this.#options.levels[name];
    const isSeated = type !== 'Queue';
    if (isSeated && !level.takeSeat(flow)) throw this.#rejected(name, 'concurrency-limit');
    const reason = await this.#wait(name, flow, signal, isSeated);
    if (reason === undefined || (type === 'Exempt' && reason === 'queue-full')) return;
    if (isSeated) level.leave(flow);
    throw this.#rejected(name, reason);
  }

  /** Resolves to undefined when the request has a seat and its turn has come. */
  #wait(name: Name, flow: string, signal: Abandonment, isSeated: boolean): Promise<Rejection | undefined> {
    const level = this.#levels[name];
    const begun = this.#loop.now();
    return new Promise((resolve) => {
      const end = (reason?: Rejection): void => {
        cancelLimit();
        signal.removeEventListener('abort', onAbort);
        this.#options.observer?.waited(name, (this.#loop.now() - begun) / 1000, reason === undefined);
        resolve(reason);
      };
      const waiter: Waiter = { flow, isSeated, start: () => end() };
      const fail = (reason: Rejection): void => {
        if (level.remove(waiter)) end(reason);
      };
      const onAbort = (): void => fail('cancelled');
      if (!level.add(waiter)) return resolve('queue-full');
      const cancelLimit = this.#loop.after(this.#options.waitLimit, () => fail('time-out'));
      signal.addEventListener('abort', onAbort);
      if (signal.aborted) onAbort();
      this.#arm();
    });
  }

  leave(name: Name, flow: string): void {
    const level = this.#levels[name];
    level.leave(flow);
    if (level.waiting > 0) this.#arm();
  }

  #rejected(name: Name, reason: Rejection): RejectedError {
    this.#options.observer?.rejected(name, reason);
    return new RejectedError(reason);
  }

  #arm(): void {
    if (this.#isArmed) return;
    this.#isArmed = true;
    this.#loop.atEndOfTurn(() => this.#dispatch());
  }

  /**
   * Starts as many waiting requests as one turn takes. The others wait for the next, so that new requests are read in
   * between.
   */
  #dispatch(): void {
    this.#isArmed = false;
    const now = this.#loop.now();
    if (this.#since !== undefined) this.#quantum.adjust(now - this.#since);
    this.#since = undefined;
    for (let started = 0; started < this.#quantum.size; started++) if (!this.#startNext()) return;
    this.#since = now;
    this.#arm();
  }

  #startNext(): boolean {
    for (const level of this.#order) {
      const waiter = level.next();
      if (waiter === undefined) continue;
      this.#order.splice(this.#order.indexOf(level), 1);
      this.#order.push(level);
      waiter.start();
      return true;
    }
    return false;
  }
}
