import {
  type ClientSession,
  type ClusterTime,
  type Collection,
  type Db,
  type Document,
  type MongoClient,
  MongoServerError,
  type Timestamp,
} from 'mongodb';
import type {
  ChangeDocument,
  CommitDocument,
  CompactionDocument,
  DomainDocument,
  LogDocument,
  ObjectDocument,
  PartDocument,
  ServerDocument,
  StagedDocument,
  StoredDocument,
} from '../format/documents.js';
import { hasCode, NAMESPACE_EXISTS } from './errors.js';
import { DatabaseMonitor } from './monitor.js';
import type { Timeouts } from './options.js';

/** The collections, and what this server knows about the order of events in the database. */
export class Database {
  readonly client: MongoClient;
  readonly timeouts: Timeouts;
  /** Whether linearizable reads are fast; `openMongodb` finds out. */
  readsLinearizably = false;
  /** Tells the operator what is not as it should be. */
  warn: (message: string) => void = () => undefined;
  readonly monitor: DatabaseMonitor;
  readonly #db: Db;
  readonly #present = new Set<string>();
  #operationTime: Timestamp | undefined;
  #clusterTime: ClusterTime | undefined;

  constructor(client: MongoClient, name: string, timeouts: Timeouts, monitor: DatabaseMonitor = new DatabaseMonitor()) {
    this.client = client;
    this.monitor = monitor;
    this.timeouts = timeouts;
    this.#db = client.db(name);
  }

  /** The end of the log. It is in the collection of the changes, so that one command can write both. */
  get logHead(): Collection<LogDocument> {
    return this.#db.collection('changes');
  }
  get compactionHead(): Collection<CompactionDocument> {
    return this.#db.collection('changes');
  }
  get objectsHead(): Collection<StoredDocument> {
    return this.#db.collection('changes');
  }
  /** The documents of the log, of the compaction and of the objects, with their common fields. */
  get heads(): Collection<
    Pick<LogDocument | CompactionDocument | StoredDocument, '_id' | 'revision'> & Partial<Pick<LogDocument, 'commit'>>
  > {
    return this.#db.collection('changes');
  }
  /** Where the documents of the log and of the compaction were in format 1. */
  get formerHeads(): Collection<LogDocument | CompactionDocument> {
    return this.#db.collection('log');
  }
  /** It stayed where format 1 had it, and is all that this collection holds now. */
  get domain(): Collection<DomainDocument> {
    return this.#db.collection('log');
  }
  get changes(): Collection<ChangeDocument | CommitDocument> {
    return this.#db.collection('changes');
  }
  /** The same collection, for commands that concern documents of several kinds. */
  get changesAndHeads(): Collection<Document & { readonly _id: string | number }> {
    return this.#db.collection('changes');
  }
  get staged(): Collection<StagedDocument> {
    return this.#db.collection('staged');
  }
  get parts(): Collection<PartDocument> {
    return this.#db.collection('staged');
  }
  get servers(): Collection<ServerDocument> {
    return this.#db.collection('servers');
  }
  objects(resource: string): Collection<ObjectDocument> {
    return this.#db.collection(resource);
  }

  admin(command: Document): Promise<Document> {
    return this.client.db('admin').command(command);
  }

  /** What MongoDB knows of the sizes of the database and of its disk. */
  stats(): Promise<Document> {
    return this.#db.command({ dbStats: 1, freeStorage: 1 });
  }

  /** The bytes of all documents of a collection, as MongoDB has counted them. */
  async sizeOf({ namespace }: { readonly namespace: string }): Promise<number> {
    const { size } = await this.#db.command({ dataSize: namespace, estimate: true });
    return Number(size);
  }

  /** Runs a command as on the wire, without the driver's layers and retries. Later reads see at least what it saw. */
  async command(session: ClientSession, command: Document): Promise<Document> {
    const reply = await this.#db.command(command, { session });
    this.#heard(reply['operationTime'], reply['$clusterTime']);
    return reply;
  }

  /** Runs a command of a transaction. Throws for the first document that was not written. */
  async statement(session: ClientSession, command: Document): Promise<Document> {
    const reply = await this.#db.command(command, { session });
    const [error] = reply['writeErrors'] ?? [];
    if (error !== undefined) throw new MongoServerError(error);
    return reply;
  }

  /** Reads from a majority, and at least everything that this server has written, read or heard of. */
  async read<T>(work: (session: ClientSession) => Promise<T>): Promise<T> {
    const session = this.startReading();
    try {
      const found = await work(session);
      this.advance(session);
      return found;
    } finally {
      await session.endSession();
    }
  }

  /** A session for such reads, which the caller must end. */
  startReading(): ClientSession {
    const session = this.client.startSession({ causalConsistency: true });
    if (this.#operationTime) session.advanceOperationTime(this.#operationTime);
    if (this.#clusterTime) session.advanceClusterTime(this.#clusterTime);
    return session;
  }

  /** Later reads see at least what this session saw. */
  advance({ operationTime, clusterTime }: ClientSession): void {
    this.#heard(operationTime, clusterTime);
  }

  /** Later reads see at least what was committed at this time. */
  reached(operationTime: Timestamp): void {
    this.#heard(operationTime, undefined);
  }

  #heard(operationTime: Timestamp | undefined, clusterTime: ClusterTime | undefined): void {
    if (operationTime && !(this.#operationTime?.greaterThan(operationTime) ?? false))
      this.#operationTime = operationTime;
    if (clusterTime) this.#clusterTime = clusterTime;
  }

  /**
   * Creates missing collections, outside of transactions, where that is slow and conflicts. Several servers may call
   * this at once.
   */
  async ensure(names: Iterable<string>): Promise<void> {
    for (const name of new Set(names)) {
      if (this.#present.has(name)) continue;
      await this.#db.createCollection(name).catch((error: unknown) => {
        if (!hasCode(error, NAMESPACE_EXISTS)) throw error;
      });
      this.#present.add(name);
    }
  }

  /** The names of all collections. */
  async collections(): Promise<readonly string[]> {
    const found = await this.#db.listCollections({}, { nameOnly: true }).toArray();
    return found.map(({ name }) => name);
  }

  /** Removes collections with all that is in them. */
  async drop(names: Iterable<string>): Promise<void> {
    for (const name of names) await this.#db.dropCollection(name);
    this.#present.clear();
  }

  async ensureOwn(): Promise<void> {
    for (const name of await this.collections()) this.#present.add(name);
    await this.ensure(['log', 'changes', 'staged', 'servers']);
    await this.staged.createIndex({ change: 1 });
    await this.servers.createIndex({ heartbeat: 1 }, { expireAfterSeconds: 3600 });
  }
}

/** The changes, without the heads. */
export const ALL_CHANGES = { _id: { $gte: 0 } };

export const HEADS: { readonly _id: { readonly $in: ('log' | 'compaction' | 'objects')[] } } = {
  _id: { $in: ['log', 'compaction', 'objects'] },
};
