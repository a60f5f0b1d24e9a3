import { LRUCache } from 'lru-cache';
import { ApiError } from '../../pkg/status/status.js';
import { Client } from '../../registry/client.js';
import type { LastSeenSpec } from '../internal/lastseen/schema.js';
import { SYSTEM_USER } from './bootstrap.js';
import { type IdentityServices, isoTime } from './services.js';

/** The time of a user is written at most this often, by all servers together. */
const EVERY = 5 * 60_000;
const MOST_WAITING = 10_000;
const MOST_REMEMBERED = 10_000;
const AT_ONCE = 32;

/** Records the time when users last called. Callers do not wait for it. A time that cannot be written is written at a later call. */
export class LastSeenRecorder {
  readonly #services: IdentityServices;
  readonly #onError: (error: unknown, what: string) => void;
  readonly #waiting = new Set<string>();
  /** The time of the next write by uid. It is cached, because every request asks. */
  readonly #dueFrom: LRUCache<string, number>;
  #writing: Promise<void> | undefined;
  #isClosed = false;

  constructor(services: IdentityServices, onError: (error: unknown, what: string) => void) {
    this.#services = services;
    this.#onError = onError;
    this.#dueFrom = new LRUCache({ max: MOST_REMEMBERED, ttl: EVERY, ttlResolution: 0, perf: { now: services.now } });
  }

  /** The user with this uid is calling. */
  note(uid: string): void {
    if (this.#isClosed || this.#waiting.has(uid) || this.#waiting.size >= MOST_WAITING || !this.#isDue(uid)) return;
    this.#waiting.add(uid);
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined;
    });
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

  #isDue(uid: string): boolean {
    const { reader, resource, now } = this.#services;
    const time = now();
    if (time < (this.#dueFrom.get(uid) ?? 0)) return false;
    const at = reader.get<LastSeenSpec>(resource('lastseens'), '', uid)?.spec?.at;
    if (at === undefined) return true;
    const dueFrom = Date.parse(at) + EVERY;
    this.#dueFrom.set(uid, dueFrom);
    return time >= dueFrom;
  }

  async #write(): Promise<void> {
    while (this.#waiting.size > 0) {
      const some = [...this.#waiting].slice(0, AT_ONCE);
      await Promise.all(some.map((uid) => this.#writeOne(uid)));
      for (const uid of some) this.#waiting.delete(uid);
    }
  }

  async #writeOne(uid: string): Promise<void> {
    const { registry, now } = this.#services;
    const kind = this.#services.kind('lastseens');
    const client = new Client(registry, { user: SYSTEM_USER });
    const at = isoTime(now());
    try {
      await client.transact((transaction) => transaction.objects<LastSeenSpec>(kind).put(uid, (old) => later(old, at)));
    } catch (error) {
      if (!isExpected(error)) this.#onError(error, 'when a user was last seen could not be kept');
    }
  }
}

/** The later time, unless another server wrote one a moment ago. */
function later(old: LastSeenSpec | undefined, at: string): LastSeenSpec {
  return old !== undefined && Date.parse(at) - Date.parse(old.at) < EVERY ? old : { at };
}

/** Another server was faster, or the user has just been deleted. */
function isExpected(error: unknown): boolean {
  return error instanceof ApiError && ['AlreadyExists', 'NotFound', 'Invalid', 'Conflict'].includes(error.reason);
}
