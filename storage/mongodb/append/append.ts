import type { ClientSession } from 'mongodb';
import pLimit from 'p-limit';
import { yieldIfManyItems } from '../../../pkg/system/yielding/yielding.js';
import type { Batch, Revision } from '../../backend.js';
import { divergedError, StorageError } from '../../errors.js';
import type { LogEnd } from '../../log/log-end.js';
import type { Database } from '../connection/database.js';
import { isUnsent, isWithoutEffect, reasonOf } from '../connection/errors.js';
import { writeLast } from '../log/last.js';
import { writeParts } from '../log/parts.js';
import { placeOf, type ReadIndex } from '../peers/read-index.js';
import { appendCommand } from './commit.js';
import { type Prepared, prepare } from './prepare.js';
import { isCommitted, type Settled, settle } from './settle.js';

const MAX_QUEUE = 1000;

/** Appends one batch at a time. An append whose answer was lost is settled before the next one. */
export class Appender {
  readonly #database: Database;
  readonly #server: string;
  readonly #readIndex: ReadIndex;
  readonly #known: LogEnd;
  readonly #session: ClientSession;
  readonly #oneAtATime = pLimit(1);
  #lost: Prepared | undefined;
  /**
   * The last commit that this server has appended with its document. If its answer was lost, only the end of the log
   * may have it. Absent, or another one than a batch continues, as after a lost answer or a commit of another server:
   * then `writeLast` runs first.
   */
  #last: string | undefined;

  constructor(database: Database, server: string, end: ReadIndex, known: LogEnd) {
    this.#known = known;
    this.#database = database;
    this.#server = server;
    this.#readIndex = end;
    this.#session = database.client.startSession({ causalConsistency: true });
  }

  async append(after: Revision, batch: Batch): Promise<void> {
    const { activeCount, pendingCount } = this.#oneAtATime;
    if (activeCount + pendingCount >= MAX_QUEUE) {
      throw new StorageError('overloaded', 'Too many appends wait for MongoDB.');
    }
    const { logId } = this.#known;
    const append = this.#oneAtATime(async () => this.#append(await prepare(this.#server, after, batch), logId));
    this.#readIndex.appending(append);
    await append;
  }

  /** Resolves when all earlier appends have ended. */
  async close(): Promise<void> {
    await this.#oneAtATime(() => this.#session.endSession());
  }

  async #append(prepared: Prepared, logId: number): Promise<void> {
    await yieldIfManyItems(prepared.batch.changes.length);
    await this.#settleLost();
    await this.#makeReady(prepared);
    await this.#readIndex.prove(prepared.after, () => this.#commit(prepared, logId));
  }

  /** Writes what the commit needs, which nobody reads before the commit. */
  async #makeReady(prepared: Prepared): Promise<void> {
    const { after, batch, parts } = prepared;
    if (batch.parent === undefined || batch.parent !== this.#last) await writeLast(this.#database, after);
    if (parts.length > 0) await writeParts(this.#database, prepared);
  }

  async #commit(prepared: Prepared, logId: number): Promise<void> {
    const isWritten = await this.#write(prepared).catch((error: unknown) => this.#settleOwn(prepared, error));
    if (!isWritten) throw await this.#behind(prepared, logId);
  }

  /** False if the log does not end where the batch begins. Nothing is written then. */
  async #write(prepared: Prepared): Promise<boolean> {
    const command = appendCommand(prepared, this.#database.timeouts.answer);
    const isWritten = isCommitted(await this.#database.command(this.#session, command));
    if (isWritten && prepared.batch.changes.length > 0) this.#last = prepared.batch.commitId;
    return isWritten;
  }

  /**
   * The log does not end where the batch begins: another server has written, or the log is another one. If that was
   * found out since the append was asked for, the batch says nothing of the present log, which may be loading.
   */
  async #behind({ after, batch: { parent } }: Prepared, logId: number): Promise<StorageError> {
    const endRead = this.#known.beginRead();
    const log = placeOf(
      await this.#database.read((session) => this.#database.logHead.findOne({ _id: 'log' }, { session })),
    );
    endRead(log);
    const isOther =
      parent !== undefined && (log.revision < after || (log.revision === after && parent !== log.commitId));
    if (!isOther) return new StorageError('behind', `The log no longer ends at ${after}.`);
    this.#known.diverge(logId);
    return divergedError(after);
  }

  /** Whether the append took place, if its answer was lost. */
  async #settleOwn(prepared: Prepared, cause: unknown): Promise<boolean> {
    if (isUnsent(cause) || isWithoutEffect(cause)) throw cause;
    this.#lost = prepared;
    const settled = await this.#settle(prepared);
    if (settled === 'unreachable') {
      throw new StorageError('unknown', `The answer of MongoDB to a commit was lost: ${reasonOf(cause)}`, { cause });
    }
    this.#lost = undefined;
    if (settled === 'forgotten') throw new StorageError('unknown', 'The history of a lost commit is gone.', { cause });
    return settled === 'committed';
  }

  async #settleLost(): Promise<void> {
    if (this.#lost === undefined) return;
    if ((await this.#settle(this.#lost)) === 'unreachable') {
      throw new StorageError('unavailable', 'It is still unknown whether an earlier commit to MongoDB took place.');
    }
    this.#lost = undefined;
  }

  /** The command is repeated: it does nothing if it has taken place, or cannot any more. */
  #settle(prepared: Prepared): Promise<Settled> {
    return settle(this.#database, prepared, async () => {
      await this.#makeReady(prepared);
      return this.#write(prepared);
    });
  }
}
