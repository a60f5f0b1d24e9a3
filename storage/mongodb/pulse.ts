import { Binary, type ChangeStream, type Document } from 'mongodb';
import type { Commit, Revision } from '../backend.js';
import type { Turns } from '../log/turns.js';
import { Signal } from '../signal.js';
import { type Database, HEADS } from './database.js';
import { wholeCommit } from './documents.js';
import type { Presence } from './presence.js';

const POLL = 1000;

/**
 * Follows the end of the log and wakes waiting tails: by a change stream, by a poll each second, and by the appends of this server. A change stream costs
 * MongoDB a tenth of each commit, so a server that is alone closes it. Another server that starts then is found by the next poll.
 */
export class Pulse {
  readonly #database: Database;
  readonly #presence: Presence;
  readonly #turns: Turns;
  readonly #advanced = new Signal();
  /** The positions of the tails that wait. */
  readonly #waiting: Revision[] = [];
  /** The last commit that came with an event, if a tail waited for it: a tail that is late reads the log, which may have been compacted. */
  #heard: Commit | undefined;
  #revision: Revision = 0;
  #point: Revision = 0;
  #timer: NodeJS.Timeout | undefined;
  #stream: ChangeStream<Document, Document> | undefined;
  #stopped = false;
  /** When another server ran, or may have run. */
  #accompaniedAt = performance.now();

  constructor(database: Database, presence: Presence, turns: Turns) {
    this.#database = database;
    this.#presence = presence;
    this.#turns = turns;
  }

  /** True if the log has a change after `position`. */
  isBeyond(position: Revision): boolean {
    return this.#revision > position;
  }

  /** The compacted revision, as far as known: changes up to it are removed or being removed. */
  get point(): Revision {
    return this.#point;
  }

  advance(revision: Revision): void {
    if (revision <= this.#revision) return;
    this.#revision = revision;
    this.#advanced.notify();
  }

  /** Resolves when the log has a change after `position` or the signal aborts. */
  async wait(position: Revision, signal: AbortSignal): Promise<void> {
    this.#start();
    this.#waiting.push(position);
    while (!this.isBeyond(position) && !signal.aborted) await this.#advanced.waitOrAbort(signal);
    this.#waiting.splice(this.#waiting.indexOf(position), 1);
  }

  /** The commit of another server right after `position`, if a tail waited for it. */
  after(position: Revision): Commit | undefined {
    return this.#heard !== undefined && startOf(this.#heard) === position ? this.#heard : undefined;
  }

  /** Reads the end of the log and the compacted revision. */
  async look(): Promise<void> {
    const heads = await this.#database.read((session) =>
      this.#database.heads.find(HEADS, { session, projection: { revision: 1 } }).toArray(),
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
    let polling = false;
    this.#timer = setInterval(() => {
      if (polling) return;
      polling = true;
      // If the database is unavailable, the next poll tries again.
      this.#poll()
        .catch(() => undefined)
        .finally(() => {
          polling = false;
        });
    }, POLL).unref();
    void this.#listen();
  }

  async #poll(): Promise<void> {
    await this.look();
    if (await this.#presence.hasOthers()) this.#accompaniedAt = performance.now();
    const isAlone = performance.now() - this.#accompaniedAt > this.#database.timeouts.alone;
    if (isAlone) await this.#stream?.close();
    else if (this.#stream === undefined) void this.#listen();
  }

  /**
   * Receives one event for each commit of another server; `log.writer` begins with the id of the server. The driver resumes a broken stream once; after that, the poll opens a new one.
   */
  async #listen(): Promise<void> {
    try {
      const ofOthers = {
        'documentKey._id': 'log',
        'updateDescription.updatedFields.writer': { $not: new RegExp(`^${this.#presence.id} `) },
      };
      const stream = this.#database.log.watch<Document, Document>([{ $match: ofOthers }], { maxAwaitTimeMS: POLL });
      this.#stream = stream;
      this.#database.isFollowed = true;
      for await (const event of stream) {
        this.#database.reached(event['clusterTime']);
        this.#hear(event['updateDescription']?.updatedFields ?? event['fullDocument'] ?? {});
      }
    } catch {
    } finally {
      await this.#stream?.close().catch(() => undefined);
      this.#stream = undefined;
      this.#database.isFollowed = false;
    }
  }

  #keep(commit: Commit): void {
    this.#heard = this.#waiting.includes(startOf(commit)) ? commit : undefined;
  }

  #hear({ revision, writer, asked, segment }: Document): void {
    if (typeof revision === 'number') {
      if (segment instanceof Binary) this.#keep(wholeCommit({ _id: revision, segment }, 0));
      if (typeof writer === 'string') this.#turns.committed(serverOf(writer), revision);
      this.advance(revision);
    } else if (typeof asked === 'string') this.#turns.asked(serverOf(asked));
  }
}

function startOf({ end, changes }: Commit): Revision {
  return end - changes.length;
}

/** `writer` and `asked` begin with the id of a server, so that each differs from the last one. */
function serverOf(text: string): string {
  return text.slice(0, text.indexOf(' '));
}
