import type { Revision } from '../backend.js';
import type { Database } from './database.js';
import type { Presence } from './presence.js';

/**
 * The linearizable end of the log: a write that a majority acknowledges proves that who answers is the primary, and a majority
 * read after it sees everything acknowledged before. One in flight, shared by all who asked before it began.
 */
export class EndProbe {
  readonly #database: Database;
  readonly #presence: Presence;
  #flight: Promise<Revision> | undefined;
  #next: Promise<Revision> | undefined;

  constructor(database: Database, presence: Presence) {
    this.#database = database;
    this.#presence = presence;
  }

  ask(): Promise<Revision> {
    if (this.#flight === undefined) return this.#fly();
    this.#next ??= this.#flight
      .catch(() => undefined)
      .then(() => {
        this.#next = undefined;
        return this.#fly();
      });
    return this.#next;
  }

  #fly(): Promise<Revision> {
    const flight = this.#probe().finally(() => {
      if (this.#flight === flight) this.#flight = undefined;
    });
    this.#flight = flight;
    return flight;
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
