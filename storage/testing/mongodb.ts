import { type CommandStartedEvent, type Db, MongoClient } from 'mongodb';
// biome-ignore-start lint/style/noRestrictedImports: tests of a backend run on a real database, which hack starts
import { freshDatabase, sharedMongodb } from '../../hack/mongod/shared.js';
// biome-ignore-end lint/style/noRestrictedImports: as above
import type { Backend, Put, Revision } from '../backend.js';
import { keyOf } from '../key.js';
import type { Database } from '../mongodb/connection/database.js';
import type { MongodbOptions, Timeouts } from '../mongodb/connection/options.js';
import { connected, openMongodb } from '../mongodb/open.js';

const DOMAIN = 'svc.app';
const RESOURCE = 'notes.tests.svc.app';

type More = Pick<MongodbOptions, 'timeouts' | 'onCommand'>;

/** A fresh database, as the parts of the adapter see it. `close` removes it. */
export interface OwnDatabase {
  readonly uri: string;
  readonly name: string;
  readonly db: Db;
  readonly database: Database;
  /** A server on it. */
  open(onCommand?: (event: CommandStartedEvent) => void): Promise<Backend>;
  /** Another view of it, as another server has one. */
  connect(more?: More): Promise<Database>;
  close(): Promise<void>;
}

export async function ownDatabase(context: Mocha.Context, timeouts: Partial<Timeouts> = {}): Promise<OwnDatabase> {
  const [uri, name] = [await sharedMongodb(context), freshDatabase()];
  const client = new MongoClient(uri);
  const db = client.db(name);
  const opened: { close(): Promise<void> }[] = [];
  const open = async (onCommand?: (event: CommandStartedEvent) => void): Promise<Backend> => {
    const backend = await openMongodb({
      uri,
      database: name,
      domain: DOMAIN,
      timeouts: { complete: 700 },
      ...(onCommand && { onCommand }),
    });
    opened.push(backend);
    return backend;
  };
  const connect = async (more: More = { timeouts }): Promise<Database> => {
    const database = await connected({ uri, database: name, ...more }, async () => undefined);
    opened.push(database.client);
    return database;
  };
  await (await open()).close();
  await putLast(db);
  const close = async (): Promise<void> => {
    await Promise.all(opened.map((one) => one.close()));
    await db.dropDatabase();
    await client.close();
  };
  return { uri, name, db, database: await connect(), open, connect, close };
}

/** Puts another document before those of the log, so that a command for any document does not find them by chance. */
async function putLast(db: Db): Promise<void> {
  const changes = db.collection<{ _id: string }>('changes');
  const heads = await changes.find({ _id: { $in: ['log', 'compaction', 'objects'] } }).toArray();
  await changes.deleteMany({});
  await changes.insertMany([{ _id: 'another' }, ...heads]);
}

/** A database of its own for each test, or one for the suite. */
export function useOwnDatabase(each: 'test' | 'suite'): () => OwnDatabase {
  let own: OwnDatabase | undefined;
  const [begin, end] = each === 'test' ? [beforeEach, afterEach] : [before, after];
  begin(async function open() {
    own = await ownDatabase(this);
  });
  end(() => own?.close());
  return () => {
    if (own === undefined) throw new Error('the database is used before it was opened');
    return own;
  };
}

/** The creation of an object. */
export function created(revision: Revision, name: string = `n${revision}`, more: Partial<Put> = {}): Put {
  return { key: keyOf(RESOURCE, 'default', name), revision, value: Buffer.from('{}'), ...more };
}
