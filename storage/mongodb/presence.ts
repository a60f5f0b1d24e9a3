import { randomUUID } from 'node:crypto';
import type { Binary, ClientSession } from 'mongodb';
import type { Database } from './database.js';
import type { ServerDocument } from './documents.js';
import { isOutage, storageError } from './errors.js';
import { DIFFERENT_USERS } from './user.js';

/** Milliseconds between heartbeats, and without one until a server counts as stopped. */
const BEAT = 500;
const STALE = 1500;
/** The least milliseconds between two searches for stopped servers. */
const SEARCH = 250;
/** A transaction ends by itself after a minute, and so many servers do not stop within one. */
const MOST_STALE = 100;

/**
 * Publishes this server to the others that share the database, with a heartbeat and the session of its commits. If the server stops, the
 * others can end the transaction that it left open and that holds the log. Ending such a transaction is always safe.
 */
export class Presence {
  readonly #database: Database;
  readonly id = randomUUID();
  readonly #timer: NodeJS.Timeout;
  #session: ClientSession;
  #published = false;
  #abandoned: ClientSession[] = [];
  #beating = false;
  #left = false;
  #warned = false;
  #lastKill = Number.NEGATIVE_INFINITY;

  constructor(database: Database) {
    this.#database = database;
    this.#session = database.client.startSession({ causalConsistency: true });
    this.#timer = setInterval(() => void this.#tick(), BEAT).unref();
  }

  /** The session for the next commit. It is published, and no earlier transaction is open. */
  async session(): Promise<ClientSession> {
    if (!this.#published) await this.beat(undefined, false);
    if (this.#abandoned.length > 0) await this.clean();
    return this.#session;
  }

  /** Call this if the transaction of the session may still be open on the server. The next commit gets another session. */
  abandon(): void {
    this.#abandoned.push(this.#session);
    this.#session = this.#database.client.startSession({ causalConsistency: true });
    this.#published = false;
  }

  /** Ends abandoned transactions on the current primary. On a former primary, they ended with its role. */
  async clean(): Promise<void> {
    // A copy, because another one may be abandoned in the meantime.
    const abandoned = [...this.#abandoned];
    if (abandoned.length === 0) return;
    await this.#kill(abandoned.map(sessionId));
    this.#abandoned = this.#abandoned.filter((session) => !abandoned.includes(session));
    await Promise.all(abandoned.map((session) => session.endSession()));
  }

  /** Writes the heartbeat. If a majority acknowledges it, the server that answers is the primary. */
  async beat(session: ClientSession | undefined, majority: boolean): Promise<void> {
    const { user, timeouts } = this.#database;
    const own = this.#session;
    await this.#database.servers.updateOne(
      { _id: this.id },
      { $set: { session: sessionId(own), ...(user && { user: user.digest }) }, $currentDate: { heartbeat: true } },
      {
        upsert: true,
        writeConcern: majority ? { w: 'majority', wtimeoutMS: timeouts.answer } : { w: 1 },
        ...(session && { session }),
      },
    );
    if (own === this.#session) this.#published = true;
  }

  /** Whether another server has published itself lately. */
  async hasOthers(): Promise<boolean> {
    const isRunning = { $gt: ['$heartbeat', { $subtract: ['$$NOW', STALE] }] };
    const found = await this.#database.servers.findOne({ _id: { $ne: this.id }, $expr: isRunning });
    if (found !== null && this.#isOfAnotherUser(found) && this.#database.user?.endsOthers === false) this.#warn();
    return found !== null;
  }

  /** Ends the transactions of servers that have stopped. */
  async killStale(): Promise<void> {
    if (performance.now() - this.#lastKill < SEARCH) return;
    this.#lastKill = performance.now();
    const stale = await this.#database.servers
      .find({ _id: { $ne: this.id }, $expr: { $lt: ['$heartbeat', { $subtract: ['$$NOW', STALE] }] } })
      // Whoever stopped last may hold the log. MongoDB has ended the transactions of those before.
      .sort({ heartbeat: -1 })
      .limit(MOST_STALE)
      .toArray();
    const others = stale.filter((server) => this.#isOfAnotherUser(server));
    const own = stale.filter((server) => !others.includes(server));
    if (own.length > 0) await this.#kill(own.map((server) => server.session));
    if (others.length > 0) await this.#killOthers(others);
  }

  async leave(): Promise<void> {
    this.#left = true;
    clearInterval(this.#timer);
    await this.clean().catch(() => undefined);
    await this.#session.endSession();
    await this.#database.servers.deleteOne({ _id: this.id }, { writeConcern: { w: 1 } }).catch(() => undefined);
  }

  async #kill(sessions: readonly Binary[]): Promise<void> {
    await this.#database.admin({ killSessions: sessions.map((id) => ({ id })) });
  }

  /** Servers of earlier versions do not say which user they are. */
  #isOfAnotherUser({ user }: ServerDocument): boolean {
    const own = this.#database.user?.digest;
    return user !== undefined && own !== undefined && user.toString('hex') !== own.toString('hex');
  }

  async #killOthers(servers: readonly ServerDocument[]): Promise<void> {
    if (this.#database.user?.endsOthers === false) return this.#warn();
    const sessions = servers.map(({ session, user }) => ({ id: session, uid: user }));
    await this.#database.admin({ killSessions: sessions });
  }

  #warn(): void {
    if (!this.#warned) this.#database.warn(DIFFERENT_USERS);
    this.#warned = true;
  }

  /** Errors are only counted, because the next beat tries again. After an outage, the beat must show that a majority takes writes. */
  async #tick(): Promise<void> {
    if (this.#beating) return;
    this.#beating = true;
    const { monitor } = this.#database;
    try {
      const majority = !monitor.isUp;
      await this.beat(undefined, majority);
      await this.clean();
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

function sessionId(session: ClientSession): Binary {
  if (session.id === undefined) throw new Error('The session has ended.');
  return session.id.id;
}
