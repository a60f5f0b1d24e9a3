import type { ChangeStream, Document } from 'mongodb';
import type { Revision } from '../backend.js';
import { Signal } from '../signal.js';
import type { Database } from './database.js';

const POLL = 1000;

/** Knows how far the log has got, and wakes who waits for more: by a change stream, a poll each second beside it, and own appends. */
export class Pulse {
  readonly #database: Database;
  readonly #own: string;
  readonly #advanced = new Signal();
  #revision: Revision = 0;
  #point: Revision = 0;
  #timer: NodeJS.Timeout | undefined;
  #stream: ChangeStream<Document, Document> | undefined;
  #stopped = false;

  /** `server` is who we are in `log.writer`: of our own commits we need not be told. */
  constructor(database: Database, server: string) {
    this.#database = database;
    this.#own = server;
  }

  /** At least one change beyond `position` has happened. */
  isBeyond(position: Revision): boolean {
    return this.#revision > position;
  }

  /** As far as heard of: changes up to it are gone or going. */
  get point(): Revision {
    return this.#point;
  }

  advance(revision: Revision): void {
    if (revision <= this.#revision) return;
    this.#revision = revision;
    this.#advanced.notify();
  }

  /** Until something lies beyond `position` or the signal aborts. */
  async wait(position: Revision, signal: AbortSignal): Promise<void> {
    this.#start();
    while (!this.isBeyond(position) && !signal.aborted) await this.#advanced.waitOrAbort(signal);
  }

  /** Asks the log itself how far it is, and how far compacted. */
  async look(): Promise<void> {
    const heads = await this.#database.read((session) =>
      this.#database.heads
        .find({ _id: { $in: ['log', 'compaction'] } }, { session, projection: { revision: 1 } })
        .toArray(),
    );
    for (const { _id, revision } of heads) {
      if (_id === 'compaction') this.#point = Math.max(this.#point, revision);
      else this.advance(revision);
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    await this.#stream?.close().catch(() => undefined);
  }

  #start(): void {
    if (this.#timer !== undefined || this.#stopped) return;
    let looking = false;
    this.#timer = setInterval(() => {
      if (this.#stream === undefined) void this.#listen();
      if (looking) return;
      looking = true;
      // While the database is away the next poll is the retry.
      this.look()
        .catch(() => undefined)
        .finally(() => {
          looking = false;
        });
    }, POLL).unref();
    void this.#listen();
  }

  /** One event a commit of others. The driver resumes a broken stream once; one that stays broken is opened again by the poll. */
  async #listen(): Promise<void> {
    try {
      const ofOthers = {
        'documentKey._id': 'log',
        'updateDescription.updatedFields.writer': { $not: new RegExp(`^${this.#own} `) },
      };
      const stream = this.#database.log.watch<Document, Document>([{ $match: ofOthers }], { maxAwaitTimeMS: POLL });
      this.#stream = stream;
      for await (const event of stream) {
        const fields = event['updateDescription']?.updatedFields ?? event['fullDocument'];
        if (typeof fields?.revision === 'number') this.advance(fields.revision);
      }
    } catch {
    } finally {
      await this.#stream?.close().catch(() => undefined);
      this.#stream = undefined;
    }
  }
}
