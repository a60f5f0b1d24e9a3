import { type Document, MongoClient } from 'mongodb';
import type { Backend } from '../backend.js';
import { StorageError } from '../errors.js';
import { MongodbBackend } from './backend.js';
import { Database } from './database.js';
import { isDuplicateKey, isNotAllowed, reasonOf, storageError } from './errors.js';
import { clientOptions, type MongodbOptions, TIMEOUTS, type Timeouts, withoutOurs } from './options.js';

export type { MongodbOptions, Timeouts } from './options.js';

const FORMAT = 1;
/** MongoDB 5.0: dots in the names of labels. */
const OLDEST_WIRE_VERSION = 13;

/**
 * The store on a MongoDB replica set, which several servers may share. Throws `refused` for what it cannot keep its promises on, and
 * `unavailable` when nothing answers; both say what to do.
 */
export async function openMongodb(options: MongodbOptions): Promise<Backend> {
  return new MongodbBackend(await connect(options));
}

async function connect(options: MongodbOptions): Promise<Database> {
  const timeouts = { ...TIMEOUTS, ...options.timeouts };
  const client = clientOf(options.uri, () => newClient(options, timeouts));
  try {
    await client.connect();
    const database = new Database(client, options.database, timeouts);
    inspect(await database.admin({ hello: 1 }));
    await database.ensureOwn();
    await begin(database, options.domain);
    database.readsLinearizably = await readsLinearizably(database);
    return database;
  } catch (error) {
    await client.close().catch(() => undefined);
    if (!isNotAllowed(error)) throw storageError(error);
    throw refused(
      `MongoDB does not let us in: ${reasonOf(error)} See the user and password in storage.mongodb_uri.`,
      error,
    );
  }
}

function newClient({ uri, onCommand }: MongodbOptions, timeouts: Timeouts): MongoClient {
  const monitorCommands = onCommand !== undefined;
  const client = new MongoClient(withoutOurs(uri), { ...clientOptions(timeouts), monitorCommands });
  if (onCommand) client.on('commandStarted', onCommand);
  return client;
}

function clientOf(uri: string, make: () => MongoClient): MongoClient {
  try {
    return make();
  } catch (cause) {
    // The URI holds a password: only the driver's reason is told.
    const reason = reasonOf(cause).replaceAll(uri, '…');
    throw refused(
      `storage.mongodb_uri is not a MongoDB URI: ${reason} Expected mongodb://host:27017/?replicaSet=rs`,
      cause,
    );
  }
}

function inspect(hello: Document): void {
  if (hello['setName'] === undefined && hello['msg'] !== 'isdbgrid') {
    throw refused(
      'The MongoDB given is a standalone server, and storing objects safely needs transactions, which only a replica set has. ' +
        'One member is enough: start mongod with --replSet rs and run rs.initiate() once in mongosh.',
    );
  }
  if (hello['isWritablePrimary'] !== true) {
    throw refused(
      'The MongoDB given is a secondary, and storage.mongodb_uri says directConnection=true. Remove that, so that the primary is found.',
    );
  }
  if (Number(hello['maxWireVersion']) < OLDEST_WIRE_VERSION) {
    throw refused('The MongoDB given is too old. MongoDB 5.0 or later is needed.');
  }
}

/**
 * Where a majority is one member and means its journal, a linearizable read waits for the next flush of the journal, up to 100 ms. Where
 * we may not know, it is taken for such a one.
 */
async function readsLinearizably(database: Database): Promise<boolean> {
  const { config } = await database.admin({ replSetGetConfig: 1 }).catch(() => ({ config: undefined }));
  if (config === undefined) return false;
  const voters = config.members.filter((member: Document) => member['votes'] !== 0 && member['arbiterOnly'] !== true);
  return config.writeConcernMajorityJournalDefault === false || voters.length > 1;
}

/** The first documents of an empty database; in any other they are there. */
async function begin(database: Database, domain: string): Promise<void> {
  const first = { revision: 0, commit: '', writer: '', at: new Date(0), counters: {}, indexed: [] };
  await once(() => database.log.updateOne({ _id: 'log' }, { $setOnInsert: first }, { upsert: true }));
  await once(() =>
    database.compaction.updateOne({ _id: 'compaction' }, { $setOnInsert: { revision: 0 } }, { upsert: true }),
  );
  await once(() =>
    database.domain.updateOne({ _id: 'domain' }, { $setOnInsert: { domain, format: FORMAT } }, { upsert: true }),
  );
  const found = await database.domain.findOne({ _id: 'domain' });
  if (found?.format !== FORMAT) {
    throw refused(
      `The database was written by a later version (format ${found?.format}). Use that version or another database.`,
    );
  }
  if (found.domain !== domain) {
    throw refused(
      `The database belongs to the API domain ${found.domain}, not ${domain}. Set api.domain to ${found.domain}, or use another database.`,
    );
  }
}

/** Of several servers that insert at once all but one may be told of a duplicate: it is there, which is what they want. */
async function once(insert: () => Promise<unknown>): Promise<void> {
  await insert().catch((error: unknown) => {
    if (!isDuplicateKey(error)) throw error;
  });
}

function refused(message: string, cause?: unknown): StorageError {
  return new StorageError('refused', message, { cause });
}
