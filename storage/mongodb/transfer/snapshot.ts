import { type ClientSession, MongoError } from 'mongodb';
import type { Revision, Stored } from '../../backend.js';
import type { StorageError } from '../../errors.js';
import { overlaid, type Result } from '../../log/overlay.js';
import type { Head, LoggedCommit, Snapshot } from '../../transfer/snapshot.js';
import type { Database } from '../connection/database.js';
import { storageError, translated } from '../connection/errors.js';
import type { MongodbOptions } from '../connection/options.js';
import { countersOf, storedOf } from '../format/documents.js';
import { checkFormat, refused } from '../format/format.js';
import { type Heads, readHeads } from '../log/heads.js';
import { LogGap, readLog } from '../log/log.js';
import { resourcesOf } from '../objects/collections.js';
import { PROJECTION } from '../objects/read.js';
import { type Unstored, unstoredOf } from '../objects/unstored.js';
import { connected } from '../open.js';
import { presentFormat } from './has-data.js';

const CHUNK = 500;
/** The level must be given, because that of the connection would be used instead of it. */
const READ = { readConcern: { level: 'snapshot' }, batchSize: CHUNK } as const;

/**
 * Reads the database as it is now, also while servers write to it, with MongoDB's snapshot reads. These last five
 * minutes by default.
 */
export async function openMongodbSnapshot(
  options: Pick<MongodbOptions, 'uri' | 'database' | 'timeouts'>,
): Promise<Snapshot> {
  const database = await connected(options, async (database) => {
    checkFormat(await presentFormat(database, options.database));
  });
  try {
    return await begin(database);
  } catch (error) {
    await database.client.close();
    throw storageError(error);
  }
}

/**
 * Collections cannot be listed in a snapshot, so they are listed before and after it begins, until both lists are the
 * same.
 */
async function begin(database: Database): Promise<Snapshot> {
  for (;;) {
    const before = await resourcesOf(database);
    const session = database.client.startSession({ snapshot: true });
    const heads = await headsOf(database, session);
    const head = await readHead(database, session, heads);
    const resources = await resourcesOf(database);
    if (resources.join() === before.join()) {
      const { result: unstored } = await restOf(database, session, heads);
      const sizes = await Promise.all(resources.map((one) => database.objects(one).estimatedDocumentCount()));
      const size = sizes.reduce((sum, one) => sum + one, 0);
      return new MongodbSnapshot(database, session, { head, resources, size, unstored });
    }
    await session.endSession();
  }
}

async function readHead(database: Database, session: ClientSession, { compacted }: Heads): Promise<Head> {
  const log = await database.logHead.findOne({ _id: 'log' }, { session, ...READ });
  const domain = await database.domain.findOne({ _id: 'domain' }, { session, ...READ });
  if (log === null || domain === null) throw refused('The database has no log.');
  return {
    domain: domain.domain,
    end: log.revision,
    compacted,
    at: log.at.getTime(),
    counters: countersOf(log.counters),
  };
}

async function headsOf(database: Database, session: ClientSession): Promise<Heads> {
  return readHeads(database, { session, isSnapshot: true }).catch((error: unknown) => {
    throw error instanceof MongoError ? error : refused('The database has no log.');
  });
}

async function restOf(database: Database, session: ClientSession, heads: Heads): Promise<Unstored> {
  return unstoredOf(database, heads, { session, isSnapshot: true }).catch((error: unknown) => {
    throw error instanceof LogGap ? damaged(error.position) : error;
  });
}

interface Contents {
  readonly head: Head;
  readonly resources: readonly string[];
  readonly size: number;
  /** What the log has beyond the objects. */
  readonly unstored: Result;
}

class MongodbSnapshot implements Snapshot {
  readonly head: Head;
  readonly size: number;
  readonly #resources: readonly string[];
  readonly #database: Database;
  readonly #session: ClientSession;
  readonly #unstored: Result;

  constructor(database: Database, session: ClientSession, { head, resources, size, unstored }: Contents) {
    this.#unstored = unstored;
    this.head = head;
    this.size = size;
    this.#resources = resources;
    this.#database = database;
    this.#session = session;
  }

  objects(): AsyncIterable<readonly Stored[]> {
    return translated(overlaid(this.#objects(), this.#unstored.changes.values()));
  }

  commits(after: Revision): AsyncIterable<readonly LoggedCommit[]> {
    return translated(this.#commits(after));
  }

  async close(): Promise<void> {
    await this.#session.endSession();
    await this.#database.client.close();
  }

  async *#objects(): AsyncIterable<readonly Stored[]> {
    for (const resource of this.#resources) yield* this.#objectsOf(resource);
  }

  async *#objectsOf(resource: string): AsyncIterable<readonly Stored[]> {
    const session = this.#session;
    const cursor = this.#database
      .objects(resource)
      .find({}, { session, ...READ, sort: { _id: 1 }, projection: PROJECTION });
    try {
      while (await cursor.hasNext()) yield cursor.readBufferedDocuments().map(storedOf);
    } finally {
      await cursor.close();
    }
  }

  async *#commits(after: Revision): AsyncIterable<readonly LoggedCommit[]> {
    const reading = { session: this.#session, isSnapshot: true };
    let [chunk, position]: [LoggedCommit[], Revision] = [[], after];
    try {
      for await (const commit of readLog(this.#database, { after, through: this.head.end }, reading)) {
        chunk.push(commit);
        position = commit.end;
        if (chunk.length < CHUNK) continue;
        yield chunk;
        chunk = [];
      }
    } catch (error) {
      if (error instanceof LogGap) throw damaged(error.position);
      throw error;
    }
    yield chunk;
    if (position !== this.head.end) throw damaged(position);
  }
}

function damaged(position: Revision): StorageError {
  return refused(`The log is damaged: change ${position + 1} is missing.`);
}
