import { type ClientSession, MongoNetworkTimeoutError, MongoServerSelectionError } from 'mongodb';
import { yieldToLoop } from '../../../pkg/system/yielding/yielding.js';
import type { Revision } from '../../backend.js';
import { GroupCommitDelay } from '../../log/group-commit.js';
import { LogEnd, type LogPosition } from '../../log/log-end.js';
import type { Database } from '../connection/database.js';
import type { LogDocument } from '../format/documents.js';
import type { Heartbeat } from './heartbeat.js';

/** A call of `ask` that waits for its answer. */
interface Asking {
  resolve(end: Revision): void;
  reject(error: unknown): void;
}

/** Milliseconds that calls wait for an append to start its commit, and again for the commit to end. */
const PATIENCE = 10;
const PLACE = { revision: 1, commit: 1 } as const;
/** A primary that has lost its majority never answers this read, so it has a time limit. */
const LINEARIZABLE_READ = {
  find: 'changes',
  filter: { _id: 'log' },
  projection: PLACE,
  limit: 1,
  singleBatch: true,
  maxTimeMS: 2000,
  readConcern: { level: 'linearizable' },
};

/**
 * Finds the linearizable end of the log. One probe at a time answers all calls that came before it started. During an
 * append, calls wait for a short time, because its commit answers them without a probe.
 */
export class ReadIndex {
  readonly #database: Database;
  readonly #heartbeat: Heartbeat;
  readonly #known: LogEnd;
  readonly #delay = new GroupCommitDelay();
  /** Linearizable reads need a session without causal consistency. */
  readonly #session: ClientSession;
  #asking: Asking[] = [];
  #isRunning = false;
  #append: Promise<unknown> | undefined;
  #givenUp: Promise<unknown> | undefined;

  constructor(database: Database, heartbeat: Heartbeat, known: LogEnd = new LogEnd()) {
    this.#known = known;
    this.#database = database;
    this.#heartbeat = heartbeat;
    this.#session = database.client.startSession({ causalConsistency: false });
  }

  /** Rejects with `diverged` if the log is not the one that was read before. */
  ask(): Promise<Revision> {
    return new Promise((resolve, reject) => this.#take([{ resolve, reject }]));
  }

  /** Call this when an append starts: it may answer calls in the meantime. */
  appending(append: Promise<unknown>): void {
    this.#append = append;
    const ended = (): void => {
      if (this.#append === append) this.#append = undefined;
    };
    append.then(ended, ended);
  }

  /**
   * Runs the commit of an append after `after`. If the commit succeeds, it answers all calls that came before it was
   * sent, because the log still ended there when the commit took place. If the commit takes long, a probe answers these
   * calls.
   */
  async prove(after: Revision, commit: () => Promise<void>): Promise<void> {
    let waiting = this.#asking;
    this.#asking = [];
    const giveUp = (): void => {
      const left = waiting;
      waiting = [];
      this.#take(left);
    };
    const timer = waiting.length > 0 ? setTimeout(giveUp, PATIENCE) : undefined;
    try {
      await commit();
      for (const { resolve } of waiting) resolve(after);
    } catch (error) {
      giveUp();
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
    // One turn of the event loop, so that calls of requests that arrived together share a probe.
    await yieldToLoop();
    while (this.#asking.length > 0) {
      if (this.#append !== this.#givenUp) await this.#appended();
      await this.#delay.wait(this.#asking.length);
      const answered = this.#asking;
      this.#asking = [];
      if (answered.length > 0) await this.#answer(answered);
    }
    this.#isRunning = false;
  }

  /** Waits for a running append, but not again for one that already took too long. */
  async #appended(): Promise<void> {
    const append = this.#append;
    if (append === undefined) return;
    await atMost(PATIENCE, append);
    if (this.#append === append) this.#givenUp = append;
  }

  async #answer(answered: readonly Asking[]): Promise<void> {
    const began = performance.now();
    const endRead = this.#known.beginRead();
    try {
      const place = await this.#probe();
      endRead(place);
      const end = place.revision;
      for (const { resolve } of answered) resolve(end);
    } catch (error) {
      for (const { reject } of answered) reject(error);
    }
    this.#delay.committed(this.#asking.length, answered.length, performance.now() - began);
  }

  /**
   * A read is half the work of a write, if the replica set answers it fast. If the read fails for another reason than
   * time, a write follows.
   */
  async #probe(): Promise<LogPosition> {
    if (!this.#database.readsLinearizably) return this.#written();
    return this.#read().catch((error: unknown) => {
      if (error instanceof MongoNetworkTimeoutError || error instanceof MongoServerSelectionError) throw error;
      return this.#written();
    });
  }

  async #read(): Promise<LogPosition> {
    const reply = await this.#database.command(this.#session, LINEARIZABLE_READ);
    return placeOf(reply['cursor']?.firstBatch?.[0]);
  }

  /**
   * A write that a majority acknowledges proves that the server is the primary. A majority read after it sees
   * everything that was acknowledged before.
   */
  #written(): Promise<LogPosition> {
    return this.#database.read(async (session) => {
      await this.#heartbeat.beat(session, true);
      const log = await this.#database.logHead.findOne({ _id: 'log' }, { session, projection: PLACE });
      return placeOf(log);
    });
  }
}

export function placeOf(log: Pick<LogDocument, 'revision' | 'commit'> | null | undefined): LogPosition {
  if (log === null || log === undefined) throw new Error('The document `log` is missing: was the database dropped?');
  const { revision, commit } = log;
  return { revision, commitId: commit };
}

/** Resolves when the work has ended, with or without an error, or when the time is over. */
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
