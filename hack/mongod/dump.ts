import { type Db, type Document, MongoServerError } from 'mongodb';

/** All documents and indexes of a database, as `mongodump` has them. */
export type Dump = ReadonlyMap<string, { readonly documents: readonly Document[]; readonly indexes: readonly Index[] }>;

interface Index {
  readonly key: Record<string, number>;
  readonly name: string;
}

export async function dumpOf(db: Db): Promise<Dump> {
  const dump = new Map<string, { documents: readonly Document[]; indexes: readonly Index[] }>();
  for (const name of await namesIn(db)) {
    const collection = db.collection(name);
    const indexes = (await collection.indexes()) as unknown as readonly Index[];
    dump.set(name, { documents: await collection.find().toArray(), indexes });
  }
  return dump;
}

export interface RestoreOptions {
  /** Called after each collection, with its name. */
  readonly afterEach?: (name: string) => Promise<void>;
  /** The first collection to restore. `mongorestore` restores several at a time, so any may come first. */
  readonly first?: string;
  readonly last?: string;
}

/** As `mongorestore --drop`: each collection is dropped and made again, one after another. */
export async function restoreDump(db: Db, dump: Dump, options: RestoreOptions = {}): Promise<void> {
  const { first, last, afterEach = async () => undefined } = options;
  const rank = (name: string): number => Number(name === last) - Number(name === first);
  for (const name of await namesIn(db)) await db.dropCollection(name);
  for (const [name, { documents, indexes }] of [...dump].sort(([a], [b]) => rank(a) - rank(b))) {
    const collection = db.collection(name);
    // A server may have made the collection again meanwhile, and written that it runs.
    if (documents.length > 0) await collection.insertMany([...documents], { ordered: false }).catch(unlessPresent);
    else await db.createCollection(name).catch(() => undefined);
    for (const { key, name: index, ...more } of indexes)
      if (index !== '_id_') await collection.createIndex(key, { name: index, ...optionsOf(more) });
    await afterEach(name);
  }
}

const DUPLICATE_KEY = 11000;

function unlessPresent(error: unknown): void {
  if (!(error instanceof MongoServerError) || error.code !== DUPLICATE_KEY) throw error;
}

/** An index of a dump has a version, which is not given to a new one. */
function optionsOf({ v: _, ...options }: { readonly v?: number }): object {
  return options;
}

async function namesIn(db: Db): Promise<readonly string[]> {
  const found = await db.listCollections({}, { nameOnly: true }).toArray();
  return found.map(({ name }) => name).filter((name) => !name.startsWith('system.'));
}
