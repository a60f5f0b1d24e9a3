import { freshDatabase, sharedMongodb } from '../../hack/mongod/shared.js';

/** The stores for tests of server processes: both, or those in `STORAGE=lmdb,mongodb`. */
const NAMES = ['lmdb', 'mongodb'] as const;
const chosen = (process.env['STORAGE'] ?? '').split(',').filter((name) => name !== '');
export const SERVER_STORES = NAMES.filter((name) => chosen.length === 0 || chosen.includes(name));
/** The store for tests of behaviour that no store can break: the embedded one, unless `STORAGE` leaves it out. */
export const ONE_SERVER_STORE = SERVER_STORES.slice(0, 1);

/** The settings of a server on a new and empty store of this kind. */
export async function storeSettings(
  context: Mocha.Context,
  store: (typeof NAMES)[number],
): Promise<Readonly<Record<string, string>>> {
  if (store === 'lmdb') return {};
  const uri = await sharedMongodb(context);
  return mongodbSettings(uri);
}

/** Servers with the same settings share a database. Each has its own data folder. */
export function mongodbSettings(uri: string): Readonly<Record<string, string>> {
  return {
    'storage.backend': 'mongodb',
    'storage.mongodb_uri': uri,
    'storage.mongodb_database': freshDatabase(),
    'security.secret_key': 'the secret of the tests',
  };
}
