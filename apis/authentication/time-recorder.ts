import { LRUCache } from 'lru-cache';
import { ApiError } from '../../pkg/kube/status/status.js';

/** A time is written at most this often, by all servers together. */
const EVERY = 5 * 60_000;
const MOST_WAITING = 10_000;
const MOST_REMEMBERED = 10_000;
const AT_ONCE = 32;

export interface TimeRecorderOptions {
  /** The stored time of a key; undefined if there is none. */
  readonly read: (key: string) => string | undefined;
  /** Stores the time unless the stored one `isRecent`. */
  readonly write: (key: string) => Promise<unknown>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Called for writes that failed. */
  readonly onError: (error: unknown) => void;
}

/**
 * Records when something last happened to a key. Callers do not wait for it. A time that cannot be written is written
 * at a later call.
 */
export class TimeRecorder {
  readonly #options: TimeRecorderOptions;
  readonly #waiting = new Set<string>();
  /** The time of the next write by key. It is cached, because every request asks. */
  readonly #dueFrom: LRUCache<string, number>;
  #writing: Promise<void> | undefined;
  #isClosed = false;

  constructor(options: TimeRecorderOptions) {
    this.#options = options;
    this.#dueFrom = new LRUCache({ max: MOST_REMEMBERED, ttl: EVERY, ttlResolution: 0, perf: { now: options.now } });
  }

  /** Notes that it happens now. */
  note(key: string): void {
    if (this.#isClosed || this.#waiting.has(key) || this.#waiting.size >= MOST_WAITING || !this.#isDue(key)) return;
    this.#waiting.add(key);
    this.#writing ??= this.#write();
  }

  /** Resolves when no write is pending. */
  async settled(): Promise<void> {
    await this.#writing;
  }

  /** Drops pending writes. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#waiting.clear();
    await this.#writing;
  }

  #isDue(key: string): boolean {
    const time = this.#options.now();
    if (time < (this.#dueFrom.get(key) ?? 0)) return false;
    const at = this.#options.read(key);
    if (at === undefined) return true;
    const dueFrom = Date.parse(at) + EVERY;
    this.#dueFrom.set(key, dueFrom);
    return time >= dueFrom;
  }

  async #write(): Promise<void> {
    while (this.#waiting.size > 0) {
      const some = [...this.#waiting].slice(0, AT_ONCE);
      await Promise.all(some.map((key) => this.#writeOne(key)));
      for (const key of some) this.#waiting.delete(key);
    }
    // Reset in the same step as the last look at what waits, so that a later time starts the next writing.
    this.#writing = undefined;
  }

  async #writeOne(key: string): Promise<void> {
    try {
      await this.#options.write(key);
    } catch (error) {
      if (!isExpected(error)) this.#options.onError(error);
    }
  }
}

/** Whether another server wrote a time a moment ago, so that this one need not. */
export function isRecent(at: string | undefined, now: number): boolean {
  return at !== undefined && now - Date.parse(at) < EVERY;
}

/** Another server was faster, or the object has just been deleted. */
function isExpected(error: unknown): boolean {
  return error instanceof ApiError && ['AlreadyExists', 'NotFound', 'Invalid', 'Conflict'].includes(error.reason);
}
