import { type Document, MongoClient } from 'mongodb';
import type { Backend } from '../backend.js';
import { MongodbBackend } from './backend.js';
import { observeClient } from './connection/client-events.js';
import { hello } from './connection/clock.js';
import { Database } from './connection/database.js';
import { isDuplicateKey, isNotAllowed, isNotAuthorized, reasonOf, storageError } from './connection/errors.js';
import {
  clientOptions,
  credentialProblem,
  type MongodbOptions,
  TIMEOUTS,
  type Timeouts,
  uriWarnings,
  withoutOurs,
} from './connection/options.js';
import { failWritesOfClosedConnections } from './connection/stuck-writes.js';
import { refuseForeign } from './format/foreign.js';
import { checkFormat, FORMAT, HEADS_APART, refused, WITH_OBJECTS, WITH_ROWS } from './format/format.js';
import { refuseInsteadOf } from './format/former.js';
import { dropRows, moveHeads, noteStored } from './format/upgrade.js';

export type { MongodbOptions, Timeouts } from './connection/options.js';

/** MongoDB 5.0, which allows dots in field names, as labels have them. */
const MIN_WIRE_VERSION = 13;

/**
 * Opens the store on a MongoDB replica set, which several servers may share. Throws `refused` if the database does not
 * fit, and `unavailable` if no server answers. Both messages tell what to do.
 */
export async function openMongodb(options: MongodbOptions): Promise<Backend> {
  return new MongodbBackend(await connect(options));
}

async function connect(options: MongodbOptions): Promise<Database> {
  return connected(options, async (database) => {
    if (options.warn) database.warn = options.warn;
    for (const warning of uriWarnings(options.uri)) database.warn(warning);
    await refuseInsteadOf(database, options);
    await refuseForeign(database, options.database);
    await database.ensureOwn();
    await begin(database, options);
    database.readsLinearizably = await readsLinearizably(database);
    database.monitor.connected(await connectionText(database, options.database));
  });
}

/** Connects to a replica set, and closes the connection if `prepare` throws. */
export async function connected(
  options: Pick<MongodbOptions, 'uri' | 'database' | 'timeouts' | 'onCommand' | 'monitor'>,
  prepare: (database: Database) => Promise<void>,
): Promise<Database> {
  const timeouts = { ...TIMEOUTS, ...options.timeouts };
  const client = clientOf(options.uri, () => newClient(options, timeouts));
  try {
    if (options.monitor) observeClient(client, options.monitor);
    await client.connect();
    const database = new Database(client, options.database, timeouts, options.monitor);
    inspect(await hello(database));
    await prepare(database);
    return database;
  } catch (error) {
    await client.close().catch(() => undefined);
    if (!isNotAllowed(error)) throw storageError(error, hostsOf(client));
    throw refused(`MongoDB denies access: ${deniedReason(error, options.database)}`, error);
  }
}

function hostsOf({ options }: MongoClient): string {
  return options.srvHost ?? options.hosts.map(String).join(', ');
}

/** What the server uses, for the operator. */
async function connectionText(database: Database, name: string): Promise<string> {
  const { setName, primary, hosts = [] } = await database.admin({ hello: 1 });
  const { version } = await database.admin({ buildInfo: 1 }).catch(() => ({ version: '' }));
  const place = setName === undefined ? 'through mongos' : `in the replica set ${setName} (${hosts.join(', ')})`;
  const now = primary === undefined ? '' : ` The primary is ${primary}.`;
  return `The server uses the database ${name} of MongoDB ${version} ${place}.${now}`;
}

/** The text of MongoDB has the whole command, with what identifies the session. */
function deniedReason(error: unknown, database: string): string {
  if (!isNotAuthorized(error)) return `${reasonOf(error)} Check the user and password in storage.mongodb_uri.`;
  return `the user of storage.mongodb_uri may not use the database ${database} (${commandOf(error)}). It needs the role readWrite on it.`;
}

/** `not authorized on DATABASE to execute command { NAME: …` */
function commandOf(error: unknown): string {
  const name = /command \{ *(\w+)/.exec(reasonOf(error))?.[1];
  return name === undefined ? 'not authorized' : `not authorized to execute ${name}`;
}

function newClient({ uri, onCommand }: Pick<MongodbOptions, 'uri' | 'onCommand'>, timeouts: Timeouts): MongoClient {
  failWritesOfClosedConnections();
  const monitorCommands = onCommand !== undefined;
  const client = new MongoClient(withoutOurs(uri), { ...clientOptions(timeouts, uri), monitorCommands });
  if (onCommand) client.on('commandStarted', onCommand);
  return client;
}

function clientOf(uri: string, make: () => MongoClient): MongoClient {
  try {
    return make();
  } catch (cause) {
    // The URI contains a password, so only the driver's reason is shown, and only if it is not about a part of the
    // password.
    const reason = credentialProblem(uri) ?? reasonOf(cause).replaceAll(uri, '…');
    throw refused(
      `storage.mongodb_uri is not a MongoDB URI: ${reason} Expected mongodb://host:27017/?replicaSet=rs`,
      cause,
    );
  }
}

function inspect(hello: Document): void {
  if (hello['setName'] === undefined && hello['msg'] !== 'isdbgrid') {
    throw refused(
      'The MongoDB server is standalone, but only a replica set has the transactions that are needed to store objects safely. ' +
        'One member is enough: start mongod with --replSet rs and run rs.initiate() once in mongosh.',
    );
  }
  if (hello['isWritablePrimary'] !== true) {
    throw refused(
      'The MongoDB server is a secondary, and storage.mongodb_uri has directConnection=true. Remove that option, so that the primary is found.',
    );
  }
  if (Number(hello['maxWireVersion']) < MIN_WIRE_VERSION) {
    throw refused('The MongoDB server is too old. MongoDB 5.0 or later is needed.');
  }
}

/**
 * If the majority is one member and includes its journal, a linearizable read waits up to 100 ms for the next flush of
 * the journal. If the user may not read the configuration, that case is assumed.
 */
async function readsLinearizably(database: Database): Promise<boolean> {
  const { config } = await database.admin({ replSetGetConfig: 1 }).catch(() => ({ config: undefined }));
  if (config === undefined) return false;
  const voters = config.members.filter((member: Document) => member['votes'] !== 0 && member['arbiterOnly'] !== true);
  return config.writeConcernMajorityJournalDefault === false || voters.length > 1;
}

/** Creates the first documents of an empty database, and checks them otherwise. */
async function begin(database: Database, { database: name, domain }: MongodbOptions): Promise<void> {
  const present = await database.domain.findOne({ _id: 'domain' });
  const format = present?.domain === domain ? present.format : FORMAT;
  if (format === HEADS_APART) await moveHeads(database, name);
  if (format === HEADS_APART || WITH_ROWS.includes(format)) await dropRows(database, name);
  if (format === HEADS_APART || WITH_ROWS.includes(format) || format === WITH_OBJECTS) await noteStored(database, name);
  const first = { revision: 0, commit: '', writer: '', at: new Date(0), counters: {} };
  await once(() => database.logHead.updateOne({ _id: 'log' }, { $setOnInsert: first }, { upsert: true }));
  await once(() =>
    database.compactionHead.updateOne({ _id: 'compaction' }, { $setOnInsert: { revision: 0 } }, { upsert: true }),
  );
  const follow = { $setOnInsert: { revision: 0 } };
  if (present === null) await once(() => database.objectsHead.updateOne({ _id: 'objects' }, follow, { upsert: true }));
  await once(() =>
    database.domain.updateOne({ _id: 'domain' }, { $setOnInsert: { domain, format: FORMAT } }, { upsert: true }),
  );
  const found = await database.domain.findOne({ _id: 'domain' });
  checkFormat(found);
  if (found?.domain !== domain) {
    throw refused(
      `The database belongs to the API domain ${found?.domain}, not ${domain}. Set api.domain to ${found?.domain}, or use another database.`,
    );
  }
}

/** Ignores a duplicate: if several servers insert at once, one succeeds, and the document exists for all. */
async function once(insert: () => Promise<unknown>): Promise<void> {
  await insert().catch((error: unknown) => {
    if (!isDuplicateKey(error)) throw error;
  });
}
