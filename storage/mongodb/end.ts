import type { Revision } from '../backend.js';
import { Gathering } from '../gathering.js';
import type { Database } from './database.js';
import type { Presence } from './presence.js';

interface Asking {
  resolve(end: Revision): void;
  reject(error: unknown): void;
}

/**
 * The linearizable end of the log: a write that a majority acknowledges proves that who answers is the primary, and a majority
 * read after it sees everything acknowledged before. One in flight, shared by all who asked before it began.
 */
export class EndProbe {
  readonly #database: Database;
  readonly #presence: Presence;
  readonly #gathering = new Gathering();
  #asking: Asking[] = [];
  #isRunning = false;

  constructor(database: Database, presence: Presence) {
    this.#database = database;
    this.#presence = presence;
  }

  ask(): Promise<Revision> {
    return new Promise((resolve, reject) => {
      this.#asking.push({ resolve, reject });
      this.#gathering.grownTo(this.#asking.length);
      if (!this.#isRunning) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#asking.length > 0) {
      const answered = this.#asking;
      this.#asking = [];
      const began = performance.now();
      try {
        const end = await this.#probe();
        for (const { resolve } of answered) resolve(end);
      } catch (error) {
        for (const { reject } of answered) reject(error);
      }
      await this.#gathering.wait(this.#asking.length, answered.length, performance.now() - began);
    }
    this.#isRunning = false;
  }

  async #probe(): Promise<Revision> {
    return this.#database.read(async (session) => {
      await this.#presence.beat(session, true);
      const log = await this.#database.log.findOne({ _id: 'log' }, { session, projection: { revision: 1 } });
      this.#database.advance(session);
      if (log === null) throw new Error('The database has lost the document `log`: was it dropped?');
      return log.revision;
    });
  }
}
