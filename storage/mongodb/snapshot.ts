import type { ClientSession } from 'mongodb';
import type { Revision, Stored } from '../backend.js';
import type { StorageError } from '../errors.js';
import type { Head, LoggedCommit, Snapshot } from '../transfer/snapshot.js';
import { resourcesOf } from './collections.js';
import type { Database } from './database.js';
import {
  type ChangeDocument,
  commitOfChanges,
  countersOf,
  fromOf,
  isWhole,
  storedOf,
  wholeCommit,
} from './documents.js';
import { storageError, translated } from './errors.js';
import { checkFormat, refused } from './format.js';
import { presentFormat } from './has-data.js';
import { connected } from './open.js';
import type { MongodbOptions } from './options.js';
import { PROJECTION } from './read.js';
import { unstage } from './staged.js';

const CHUNK = 500;
/** The level must be given, because that of the connection would be used instead of it. */
const READ = { readConcern: { level: 'snapshot' }, batchSize: CHUNK } as const;

/** Reads the database as it is now, also while servers write to it, with MongoDB's snapshot reads. These last five minutes by default. */
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

/** Collections cannot be listed in a snapshot, so they are listed before and after it begins, until both lists are the same. */
async function begin(database: Database): Promise<Snapshot> {
  for (;;) {
    const before = await resourcesOf(database);
    const session = database.client.startSession({ snapshot: true });
    const head = await readHead(database, session);
    const resources = await resourcesOf(database);
    if (resources.join() === before.join()) {
      const sizes = await Promise.all(resources.map((one) => database.objects(one).estimatedDocumentCount()));
      const size = sizes.reduce((sum, one) => sum + one, 0);
      return new MongodbSnapshot(database, session, { head, resources, size });
    }
    await session.endSession();
  }
}

async function readHead(database: Database, session: ClientSession): Promise<Head> {
  const log = await database.log.findOne({ _id: 'log' }, { session, ...READ });
  const compaction = await database.compaction.findOne({ _id: 'compaction' }, { session, ...READ });
  const domain = await database.domain.findOne({ _id: 'domain' }, { session, ...READ });
  if (log === null || domain === null) throw refused('The database has no log.');
  return {
    domain: domain.domain,
    end: log.revision,
    compacted: compaction?.revision ?? 0,
    at: log.at.getTime(),
    counters: countersOf(log.counters),
  };
}

interface Contents {
  readonly head: Head;
  readonly resources: readonly string[];
  readonly size: number;
}

class MongodbSnapshot implements Snapshot {
  readonly head: Head;
  readonly size: number;
  readonly #resources: readonly string[];
  readonly #database: Database;
  readonly #session: ClientSession;

  constructor(database: Database, session: ClientSession, { head, resources, size }: Contents) {
    this.head = head;
    this.size = size;
    this.#resources = resources;
    this.#database = database;
    this.#session = session;
  }

  async *objects(): AsyncIterable<readonly Stored[]> {
    for (const resource of this.#resources) yield* translated(this.#objectsOf(resource));
  }

  commits(after: Revision): AsyncIterable<readonly LoggedCommit[]> {
    return translated(this.#commits(after));
  }

  async close(): Promise<void> {
    await this.#session.endSession();
    await this.#database.client.close();
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
    const session = this.#session;
    const inLog = { _id: { $gt: after, $lte: this.head.end } };
    const cursor = this.#database.changes.find(inLog, { session, ...READ, sort: { _id: 1 } });
    let open: ChangeDocument[] = [];
    let position = after;
    try {
      while (await cursor.hasNext()) {
        const commits: LoggedCommit[] = [];
        for (const document of cursor.readBufferedDocuments()) {
          if (fromOf(document) > position + 1) throw damaged(position);
          const before = position;
          position = document._id;
          if (isWhole(document)) {
            commits.push({ ...wholeCommit(document, before), at: document.at.getTime() });
            continue;
          }
          open.push(document);
          if (position < document.end) continue;
          commits.push(await this.#commitOf(open));
          open = [];
        }
        yield commits;
      }
    } finally {
      await cursor.close();
    }
    if (position !== this.head.end) throw damaged(position);
  }

  async #commitOf(documents: readonly ChangeDocument[]): Promise<LoggedCommit> {
    const staged = await unstage(this.#database, documents, this.#session);
    const last = documents.at(-1);
    if (staged === undefined || last === undefined) throw damaged((last?._id ?? 0) - 1);
    return { ...commitOfChanges(documents, staged), at: last.at.getTime() };
  }
}

function damaged(position: Revision): StorageError {
  return refused(`The log is damaged: change ${position + 1} is missing.`);
}
