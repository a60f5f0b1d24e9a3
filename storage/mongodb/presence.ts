import { randomUUID } from 'node:crypto';
import type { Binary, ClientSession } from 'mongodb';
import type { Database } from './database.js';

const BEAT = 1000;
const STALE = 3000;

/**
 * This server among those that share the database. It publishes the session its commits belong to and a heartbeat, so that the
 * others can free the log from a transaction that a stopped server left open; ending such a transaction is always safe.
 */
export class Presence {
  readonly #database: Database;
  readonly id = randomUUID();
  readonly #timer: NodeJS.Timeout;
  #session: ClientSession;
  #published = false;
  #abandoned: ClientSession[] = [];
  #beating = false;
  #lastKill = 0;

  constructor(database: Database) {
    this.#database = database;
    this.#session = database.client.startSession({ causalConsistency: true });
    this.#timer = setInterval(() => void this.#tick(), BEAT).unref();
  }

  /** The session for the next commit: published, and with nothing left open by an earlier one. */
  async session(): Promise<ClientSession> {
    if (!this.#published) await this.beat(undefined, false);
    if (this.#abandoned.length > 0) await this.clean();
    return this.#session;
  }

  /** The transaction of the session may still be open on the server: the next one gets another session. */
  abandon(): void {
    this.#abandoned.push(this.#session);
    this.#session = this.#database.client.startSession({ causalConsistency: true });
    this.#published = false;
  }

  /** Ends what `abandon` left, on the primary there is now. On another the transaction went with its server. */
  async clean(): Promise<void> {
    const abandoned = this.#abandoned;
    if (abandoned.length === 0) return;
    await this.#kill(abandoned.map(sessionId));
    this.#abandoned = this.#abandoned.filter((session) => !abandoned.includes(session));
    await Promise.all(abandoned.map((session) => session.endSession()));
  }

  /** Acknowledged by a majority it proves that the server asked is the primary now. */
  async beat(session: ClientSession | undefined, majority: boolean): Promise<void> {
    const { answer } = this.#database.timeouts;
    const own = this.#session;
    await this.#database.servers.updateOne(
      { _id: this.id },
      { $set: { session: sessionId(own) }, $currentDate: { heartbeat: true } },
      {
        upsert: true,
        writeConcern: majority ? { w: 'majority', wtimeoutMS: answer } : { w: 1 },
        ...(session && { session }),
      },
    );
    if (own === this.#session) this.#published = true;
  }

  /** Frees the log of transactions whose servers have not been heard of for 3 s. */
  async killStale(): Promise<void> {
    if (Date.now() - this.#lastKill < BEAT) return;
    this.#lastKill = Date.now();
    const stale = await this.#database.servers
      .find({ _id: { $ne: this.id }, $expr: { $lt: ['$heartbeat', { $subtract: ['$$NOW', STALE] }] } })
      .limit(100)
      .toArray();
    if (stale.length > 0) await this.#kill(stale.map((server) => server.session));
  }

  async leave(): Promise<void> {
    clearInterval(this.#timer);
    await this.clean().catch(() => undefined);
    await this.#session.endSession();
    await this.#database.servers.deleteOne({ _id: this.id }, { writeConcern: { w: 1 } }).catch(() => undefined);
  }

  async #kill(sessions: readonly Binary[]): Promise<void> {
    await this.#database.admin({ killSessions: sessions.map((id) => ({ id })) });
  }

  /** While the database is away there is nobody to tell; the next beat tries again. */
  async #tick(): Promise<void> {
    if (this.#beating) return;
    this.#beating = true;
    try {
      await this.beat(undefined, false);
      await this.clean();
    } catch {
    } finally {
      this.#beating = false;
    }
  }
}

function sessionId(session: ClientSession): Binary {
  if (session.id === undefined) throw new Error('The session has ended.');
  return session.id.id;
}
