import { type ClientSession, MongoNetworkTimeoutError, MongoServerSelectionError } from 'mongodb';
import type { Revision } from '../backend.js';
import { GroupCommitDelay } from '../group-commit.js';
import type { Database } from './database.js';
import type { LogDocument } from './documents.js';
import type { Presence } from './presence.js';

interface Asking {
  resolve(end: Revision): void;
  reject(error: unknown): void;
}

/** Milliseconds that those who ask wait for an append to begin its commit, and again for that to end. */
const PATIENCE = 10;
/** A primary that has lost its majority never answers it: hence the bound, in milliseconds. */
const LINEARIZABLE_READ = {
  find: 'log',
  filter: { _id: 'log' },
  projection: { revision: 1 },
  limit: 1,
  singleBatch: true,
  maxTimeMS: 2000,
  readConcern: { level: 'linearizable' },
};

/**
 * The linearizable end of the log. One probe in flight, shared by all who asked before it began; none while an append is under way that
 * can answer them as well.
 */
export class EndProbe {
  readonly #database: Database;
  readonly #presence: Presence;
  readonly #delay = new GroupCommitDelay();
  /** Linearizable reads take no session that remembers times. */
  readonly #session: ClientSession;
  #asking: Asking[] = [];
  #isRunning = false;
  #append: Promise<unknown> | undefined;
  #givenUp: Promise<unknown> | undefined;

  constructor(database: Database, presence: Presence) {
    this.#database = database;
    this.#presence = presence;
    this.#session = database.client.startSession({ causalConsistency: false });
  }

  ask(): Promise<Revision> {
    return new Promise((resolve, reject) => this.#take([{ resolve, reject }]));
  }

  /** An append begins: it may answer who asks meanwhile. */
  appending(append: Promise<unknown>): void {
    this.#append = append;
    const ended = (): void => {
      if (this.#append === append) this.#append = undefined;
    };
    append.then(ended, ended);
  }

  /**
   * Runs the commit of an append that holds the log at `after`. That it succeeds proves what a probe does, to all who asked before it was
   * sent: nobody else can have written after `after`. Whom it keeps waiting gets a probe of their own.
   */
  async prove(after: Revision, commit: () => Promise<void>): Promise<void> {
    let riding = this.#asking;
    this.#asking = [];
    const getOff = (): void => {
      const left = riding;
      riding = [];
      this.#take(left);
    };
    const timer = riding.length > 0 ? setTimeout(getOff, PATIENCE) : undefined;
    try {
      await commit();
      for (const { resolve } of riding) resolve(after);
    } catch (error) {
      getOff();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  async close(): Promise<void> {
    await this.#session.endSession();
  }

  #take(asking: readonly Asking[]): void {
    this.#asking.push(...asking);
    this.#delay.grownTo(this.#asking.length);
    if (!this.#isRunning && this.#asking.length > 0) void this.#run();
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#asking.length > 0) {
      if (this.#append !== this.#givenUp) await this.#appended();
      const answered = this.#asking;
      this.#asking = [];
      if (answered.length > 0) await this.#answer(answered);
    }
    this.#isRunning = false;
  }

  /** Those who ask during an append that takes long do not wait for it one after the other. */
  async #appended(): Promise<void> {
    const append = this.#append;
    if (append === undefined) return;
    await atMost(PATIENCE, append);
    if (this.#append === append) this.#givenUp = append;
  }

  async #answer(answered: readonly Asking[]): Promise<void> {
    const began = performance.now();
    try {
      const end = await this.#probe();
      for (const { resolve } of answered) resolve(end);
    } catch (error) {
      for (const { reject } of answered) reject(error);
    }
    await this.#delay.wait(this.#asking.length, answered.length, performance.now() - began);
  }

  /** Reading is half the work, where a replica set does it at once; that it fails leaves the other way, with its retries, if there is time left. */
  async #probe(): Promise<Revision> {
    if (!this.#database.readsLinearizably) return this.#written();
    return this.#read().catch((error: unknown) => {
      if (error instanceof MongoNetworkTimeoutError || error instanceof MongoServerSelectionError) throw error;
      return this.#written();
    });
  }

  async #read(): Promise<Revision> {
    const reply = await this.#database.command(this.#session, LINEARIZABLE_READ);
    return revisionOf(reply['cursor']?.firstBatch?.[0]);
  }

  /** A write that a majority acknowledges proves that who answers is the primary, and a majority read after it sees everything acknowledged before. */
  #written(): Promise<Revision> {
    return this.#database.read(async (session) => {
      await this.#presence.beat(session, true);
      const log = await this.#database.log.findOne({ _id: 'log' }, { session, projection: { revision: 1 } });
      this.#database.advance(session);
      return revisionOf(log);
    });
  }
}

function revisionOf(log: Pick<LogDocument, 'revision'> | null | undefined): Revision {
  if (log === null || log === undefined) throw new Error('The database has lost the document `log`: was it dropped?');
  return log.revision;
}

/** Until it has ended, well or not, or the time is over. */
async function atMost(milliseconds: number, work: Promise<unknown>): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    const ended = (): void => {
      clearTimeout(timer);
      resolve();
    };
    work.then(ended, ended);
  });
}
