import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { ClientSession } from 'mongodb';
import type { Database } from '../connection/database.js';
import { isOutage, storageError } from '../connection/errors.js';

/** Milliseconds between heartbeats, and without one until a server counts as stopped. */
const BEAT = 500;
const STALE = 1500;

/** Publishes this server to the others that share the database, with a heartbeat. */
export class Heartbeat {
  readonly #database: Database;
  readonly id = randomUUID();
  readonly #timer: NodeJS.Timeout;
  #beating = false;
  /** The writes under way. */
  readonly #writes = new Set<Promise<unknown>>();
  #left = false;

  constructor(database: Database) {
    this.#database = database;
    this.#timer = setInterval(() => void this.#tick(), BEAT).unref();
    void this.#tick();
  }

  /** Writes the heartbeat. If a majority acknowledges it, the server that answers is the primary. */
  async beat(session: ClientSession | undefined, majority: boolean): Promise<void> {
    const write = this.#database.servers.updateOne(
      { _id: this.id },
      { $currentDate: { heartbeat: true } },
      {
        upsert: true,
        writeConcern: majority ? { w: 'majority', wtimeoutMS: this.#database.timeouts.answer } : { w: 1 },
        ...(session && { session }),
      },
    );
    this.#writes.add(write);
    await write.finally(() => this.#writes.delete(write));
  }

  /** Whether another server has published itself lately. */
  async hasOthers(): Promise<boolean> {
    const isRunning = { $gt: ['$heartbeat', { $subtract: ['$$NOW', STALE] }] };
    return (await this.#database.servers.findOne({ _id: { $ne: this.id }, $expr: isRunning })) !== null;
  }

  async leave(): Promise<void> {
    this.#left = true;
    clearInterval(this.#timer);
    // A write that ends after the deletion would make this server count as running.
    await Promise.race([Promise.allSettled(this.#writes), setTimeout(BEAT, undefined, { ref: false })]);
    await this.#database.servers.deleteOne({ _id: this.id }, { writeConcern: { w: 1 } }).catch(() => undefined);
  }

  /**
   * Errors are only counted, because the next beat tries again. After an outage, the beat must show that a majority
   * takes writes.
   */
  async #tick(): Promise<void> {
    if (this.#beating) return;
    this.#beating = true;
    const { monitor } = this.#database;
    try {
      const majority = !monitor.isUp;
      await this.beat(undefined, majority);
      // The primary may have lost its majority meanwhile.
      if (majority || monitor.isUp) monitor.answered();
    } catch (error) {
      const failure = storageError(error);
      if (!this.#left && isOutage(failure)) monitor.failed(failure);
    } finally {
      this.#beating = false;
    }
  }
}
