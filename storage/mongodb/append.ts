import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientSession } from 'mongodb';
import pLimit from 'p-limit';
import type { Batch, Revision } from '../backend.js';
import { divergedError, StorageError } from '../errors.js';
import type { LogEnd } from '../log/log-end.js';
import { restAfter } from '../stretch.js';
import { writeBatch } from './commit.js';
import type { Database } from './database.js';
import { type EndProbe, placeOf } from './end.js';
import { isConflict, reasonOf, storageError } from './errors.js';
import { collectionsOf, type Prepared, prepare } from './prepare.js';
import type { Presence } from './presence.js';
import { type Lost, settle } from './settle.js';
import { stage } from './staged.js';

const MAX_QUEUE = 1000;
/** After so many milliseconds of conflicts without any commit, the server that holds the log may have stopped. */
const PATIENCE = 500;

/** Appends one batch at a time. An append whose answer was lost is settled before the next one. */
export class Appender {
  readonly #database: Database;
  readonly #presence: Presence;
  readonly #end: EndProbe;
  readonly #known: LogEnd;
  readonly #oneAtATime = pLimit(1);
  #lost: Lost | undefined;
  #conflicts = 0;
  #conflictsSince = 0;

  constructor(database: Database, presence: Presence, end: EndProbe, known: LogEnd) {
    this.#known = known;
    this.#database = database;
    this.#presence = presence;
    this.#end = end;
  }

  async append(after: Revision, batch: Batch): Promise<void> {
    const { activeCount, pendingCount } = this.#oneAtATime;
    if (activeCount + pendingCount >= MAX_QUEUE) {
      throw new StorageError('overloaded', 'Too many appends wait for MongoDB.');
    }
    const { history } = this.#known;
    const append = this.#oneAtATime(async () => this.#append(await prepare(this.#presence.id, after, batch), history));
    this.#end.appending(append);
    await append;
  }

  /** Resolves when all earlier appends have ended. */
  async idle(): Promise<void> {
    await this.#oneAtATime(() => undefined);
  }

  async #append(prepared: Prepared, history: number): Promise<void> {
    await restAfter(prepared.batch.changes.length);
    await this.#settleLost();
    await this.#database.ensure(collectionsOf(prepared));
    if (prepared.staged) await stage(this.#database, prepared.after, prepared.batch);
    const session = await this.#presence.session();
    try {
      if (!(await this.#write(session, prepared))) {
        this.#conflicts = 0;
        throw await this.#behind(prepared, history);
      }
    } catch (error) {
      if (isConflict(error)) {
        await session.abortTransaction();
        await this.#yieldToOthers();
        throw new StorageError('behind', `Another server is writing on top of ${prepared.after}.`, { cause: error });
      }
      if (session.inTransaction()) this.#presence.abandon();
      throw error;
    }
    this.#conflicts = 0;
    await this.#end.prove(prepared.after, () => this.#commit(session, prepared));
  }

  /**
   * The log does not end where the batch begins: another server has written, or the log is another one. If that was found out since the append was asked for,
   * the batch says nothing of the present log, which may be loading.
   */
  async #behind({ after, batch: { parent } }: Prepared, history: number): Promise<StorageError> {
    const found = this.#known.reading();
    const log = placeOf(
      await this.#database.read((session) => this.#database.log.findOne({ _id: 'log' }, { session })),
    );
    found(log);
    const isOther = parent !== undefined && (log.revision < after || (log.revision === after && parent !== log.commit));
    if (!isOther) return new StorageError('behind', `The log no longer ends at ${after}.`);
    this.#known.diverge(history);
    return divergedError(after);
  }

  /** Returns true if the transaction is open, and everything of the batch is in it. */
  async #write(session: ClientSession, prepared: Prepared): Promise<boolean> {
    session.startTransaction({
      readConcern: { level: 'local' },
      readPreference: 'primary',
      writeConcern: { w: 'majority', journal: true, wtimeoutMS: this.#database.timeouts.answer },
    });
    if (await writeBatch(this.#database, session, prepared)) return true;
    await session.abortTransaction();
    return false;
  }

  async #commit(session: ClientSession, prepared: Prepared): Promise<void> {
    await session.commitTransaction().catch((error: unknown) => this.#settleOwn(prepared, error));
    this.#database.advance(session);
  }

  async #settleOwn({ after, batch }: Prepared, cause: unknown): Promise<void> {
    this.#presence.abandon();
    this.#lost = { after, commit: batch.commit, count: batch.changes.length };
    const outcome = await settle(this.#database, this.#presence, this.#lost);
    if (outcome === 'unreachable') {
      throw new StorageError('unknown', `The answer of MongoDB to a commit was lost: ${reasonOf(cause)}`, { cause });
    }
    this.#lost = undefined;
    if (outcome === 'committed') return;
    if (outcome === 'forgotten') throw new StorageError('unknown', 'The history of a lost commit is gone.', { cause });
    throw new StorageError('unavailable', `MongoDB did not commit: ${reasonOf(cause)}`, { cause });
  }

  async #settleLost(): Promise<void> {
    if (this.#lost === undefined) return;
    const outcome = await settle(this.#database, this.#presence, this.#lost);
    if (outcome === 'unreachable') {
      throw new StorageError('unavailable', 'It is still unknown whether an earlier commit to MongoDB took place.');
    }
    this.#lost = undefined;
  }

  /** Waits longer the longer the conflicts last, so that losers do not use the resources that the winner needs. */
  async #yieldToOthers(): Promise<void> {
    if (this.#conflicts++ === 0) this.#conflictsSince = performance.now();
    if (performance.now() - this.#conflictsSince > PATIENCE) {
      await this.#presence.killStale().catch((error: unknown) => {
        throw storageError(error);
      });
    }
    await sleep(Math.random() * Math.min(2 ** this.#conflicts, 20));
  }
}
