import { availableParallelism } from 'node:os';
import { tooManyRequests } from '../../kube/status/errors.js';
import { FairQueue } from '../../system/collections/fair-queue.js';
import { hashPassword, type ScryptParameters } from './password.js';

export interface PasswordQueueOptions {
  /**
   * How many hashes run at once. scrypt shares libuv's thread pool with the store's commits, so the default is one for
   * two cores.
   */
  readonly concurrency?: number;
  /**
   * How many hashes of known senders may wait, and how many of strangers. The two are counted separately, so that
   * neither can take the places of the other.
   */
  readonly maxWaiting?: number;
  /** How many of one key may wait. */
  readonly maxWaitingEach?: number;
  /** The cost of new hashes. */
  readonly parameters?: ScryptParameters;
}

/** The sender whose turn a hash takes. */
export interface Turn {
  /** The key of an address or of a user. */
  readonly of: string;
  /** The sender is known to the server, so the hash goes before those of strangers. */
  readonly first?: boolean;
}

interface Waiting {
  start(): void;
  refuse(): void;
}

const MAX_WAITING = 64;
const MAX_WAITING_EACH = 16;
/** One of this many hashes is for strangers, even while known senders wait. */
const STRANGERS_EVERY = 4;

/**
 * Runs a few password hashes at a time. Senders that wait take turns by their keys, and known ones go before strangers.
 * So a flood of logins delays mostly its own sender. Libraries for queues have no turns, so this is our own.
 */
export class PasswordQueue {
  readonly #concurrency: number;
  readonly #maxWaiting: number;
  readonly #maxWaitingEach: number;
  readonly #parameters: ScryptParameters | undefined;
  readonly #known = new FairQueue<Waiting>();
  readonly #strangers = new FairQueue<Waiting>();
  #running = 0;
  #started = 0;

  constructor({ concurrency, maxWaiting = MAX_WAITING, maxWaitingEach, parameters }: PasswordQueueOptions = {}) {
    this.#concurrency = concurrency ?? Math.max(1, Math.floor(availableParallelism() / 2));
    this.#maxWaiting = maxWaiting;
    this.#maxWaitingEach = maxWaitingEach ?? Math.min(MAX_WAITING_EACH, maxWaiting);
    this.#parameters = parameters;
  }

  /** Hashes a new password. `onTurn` is called when its turn has come; it may throw if the hash is no longer needed. */
  hash(password: string, turn: Turn, onTurn: () => void = () => undefined): Promise<string> {
    return this.run(async () => {
      onTurn();
      return hashPassword(password, this.#parameters);
    }, turn);
  }

  /**
   * Throws ApiError 429 if too many of this sender or of its kind wait. If there is no place, the sender of the kind
   * with the most waiting hashes loses one.
   */
  async run<T>(work: () => Promise<T>, turn: Turn): Promise<T> {
    if (this.#running >= this.#concurrency) await this.#wait(turn);
    else this.#running++;
    try {
      return await work();
    } finally {
      this.#startNext();
    }
  }

  #wait({ of, first = false }: Turn): Promise<void> {
    const turns = first ? this.#known : this.#strangers;
    const own = turns.countOf(of);
    if (own >= this.#maxWaitingEach) throw tooManyRequests();
    if (turns.size >= this.#maxWaiting) {
      const other = turns.takeFromLongest(own + 1);
      if (other === undefined) throw tooManyRequests();
      other.refuse();
    }
    return new Promise((start, reject) => turns.add(of, { start, refuse: () => reject(tooManyRequests()) }));
  }

  /** Passes the place of work that has ended to the next one, so that no other work can take it in between. */
  #startNext(): void {
    const isForStrangers = ++this.#started % STRANGERS_EVERY === 0;
    const [before, after] = isForStrangers ? [this.#strangers, this.#known] : [this.#known, this.#strangers];
    const next = before.next() ?? after.next();
    if (next === undefined) this.#running--;
    else next.start();
  }
}
