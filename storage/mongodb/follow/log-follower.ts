import { Binary, type ChangeStream, type Document } from 'mongodb';
import type { Revision } from '../../backend.js';
import { LogEnd, type LogPosition } from '../../log/log-end.js';
import type { Turns } from '../../log/turns.js';
import { type Database, HEADS } from '../connection/database.js';
import { type LinkedCommit, wholeCommit } from '../format/documents.js';
import type { Heartbeat } from '../peers/heartbeat.js';

const POLL = 1000;

/**
 * Follows the end of the log and wakes waiting tails: by a change stream, by a poll each second, and by the appends of
 * this server. A change stream costs MongoDB a tenth of each commit, so a server that is alone closes it. Another
 * server that starts then is found by the next poll.
 */
export class LogFollower {
  readonly #database: Database;
  readonly #heartbeat: Heartbeat;
  readonly #turns: Turns;
  readonly #logEnd: LogEnd;
  /** The positions of the tails that wait. */
  readonly #waiting: Revision[] = [];
  /**
   * The last commit that came with an event, if a tail waited for it: a tail that is late reads the log, which may have
   * been compacted.
   */
  #heard: LinkedCommit | undefined;
  #timer: NodeJS.Timeout | undefined;
  #stream: ChangeStream<Document, Document> | undefined;
  #stopped = false;
  /** When another server ran, or may have run. */
  #accompaniedAt = performance.now();

  constructor(database: Database, heartbeat: Heartbeat, turns: Turns, end: LogEnd = new LogEnd()) {
    this.#logEnd = end;
    this.#database = database;
    this.#heartbeat = heartbeat;
    this.#turns = turns;
  }

  /** True if the log has a change after `position`. */
  isBeyond(position: Revision): boolean {
    return this.#logEnd.isBeyond(position);
  }

  /** Changes when the log turns out to be another one than was read. */
  get logId(): number {
    return this.#logEnd.logId;
  }

  /** The compacted revision, as far as known: changes up to it are removed or being removed. */
  get point(): Revision {
    return this.#logEnd.point;
  }

  advance(place: LogPosition): void {
    this.#logEnd.advance(place);
  }

  /** A tail finds that the log is another one than was read with the `logId` `read`. */
  diverge(read: number): void {
    this.#logEnd.diverge(read);
  }

  /** Resolves when the log has a change after `position`, or is another one, or the signal aborts. */
  async wait(position: Revision, signal: AbortSignal): Promise<void> {
    this.#start();
    this.#waiting.push(position);
    const { logId } = this;
    while (!this.isBeyond(position) && logId === this.logId && !signal.aborted)
      await this.#logEnd.changed.waitOrAbort(signal);
    this.#waiting.splice(this.#waiting.indexOf(position), 1);
  }

  /** The commit of another server right after `position`, if a tail waited for it. */
  after(position: Revision): LinkedCommit | undefined {
    return this.#heard !== undefined && startOf(this.#heard) === position ? this.#heard : undefined;
  }

  /**
   * Reads the end of the log and the compacted revision. Throws `diverged` if the log is not the one that was read
   * before.
   */
  async look(): Promise<void> {
    const endRead = this.#logEnd.beginRead();
    const heads = await this.#database.read((session) =>
      this.#database.heads.find(HEADS, { session, projection: { revision: 1, commit: 1 } }).toArray(),
    );
    for (const { _id, revision, commit } of heads) if (_id === 'log') endRead({ revision, commitId: commit });
    for (const { _id, revision } of heads)
      if (_id === 'compaction') this.#logEnd.point = Math.max(this.#logEnd.point, revision);
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
    if (await this.#heartbeat.hasOthers()) this.#accompaniedAt = performance.now();
    const isAlone = performance.now() - this.#accompaniedAt > this.#database.timeouts.alone;
    if (isAlone) await this.#stream?.close();
    else if (this.#stream === undefined) void this.#listen();
  }

  /**
   * Receives one event for each commit of another server; `log.writer` begins with the id of the server. The driver
   * resumes a broken stream once; after that, the poll opens a new one.
   */
  async #listen(): Promise<void> {
    try {
      const ofOthers = {
        'documentKey._id': 'log',
        'updateDescription.updatedFields.writer': { $not: new RegExp(`^${this.#heartbeat.id} `) },
      };
      const stream = this.#database.logHead.watch<Document, Document>([{ $match: ofOthers }], { maxAwaitTimeMS: POLL });
      this.#stream = stream;
      for await (const event of stream) {
        this.#database.reached(event['clusterTime']);
        this.#hear(event['updateDescription']?.updatedFields ?? event['fullDocument'] ?? {});
      }
    } catch {
    } finally {
      await this.#stream?.close().catch(() => undefined);
      this.#stream = undefined;
    }
  }

  #keep(commit: LinkedCommit): void {
    this.#heard = this.#waiting.includes(startOf(commit)) ? commit : undefined;
  }

  #hear({ revision, commit, parent, writer, asked, segment }: Document): void {
    if (typeof revision === 'number') {
      if (segment instanceof Binary) this.#keep(wholeCommit({ _id: revision, commit, parent }, [segment.buffer], 0));
      if (typeof writer === 'string') this.#turns.committed(serverOf(writer), revision);
      this.advance({ revision, commitId: commit });
    } else if (typeof asked === 'string') this.#turns.requested(serverOf(asked));
  }
}

function startOf({ end, changes }: LinkedCommit): Revision {
  return end - changes.length;
}

/** `writer` and `asked` begin with the id of a server, so that each differs from the last one. */
function serverOf(text: string): string {
  return text.slice(0, text.indexOf(' '));
}
