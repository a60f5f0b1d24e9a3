import { freshDatabase, sharedMongodb } from '../../hack/mongod/shared.js';

/** The stores that whole servers are tested on: both, or those that `STORAGE=lmdb,mongodb` names. */
const NAMES = ['lmdb', 'mongodb'] as const;
const chosen = (process.env['STORAGE'] ?? '').split(',').filter((name) => name !== '');
export const SERVER_STORES = NAMES.filter((name) => chosen.length === 0 || chosen.includes(name));

/** The settings that make a server keep its objects there, in a fresh and empty store. */
export async function storeSettings(
  context: Mocha.Context,
  store: (typeof NAMES)[number],
): Promise<Readonly<Record<string, string>>> {
  if (store === 'lmdb') return {};
  const uri = await sharedMongodb(context);
  return mongodbSettings(uri);
}

/** Servers with the same settings share a database; each has a data folder of its own. */
export function mongodbSettings(uri: string): Readonly<Record<string, string>> {
  return {
    'storage.backend': 'mongodb',
    'storage.mongodb_uri': uri,
    'storage.mongodb_database': freshDatabase(),
    'security.secret_key': 'the secret of the tests',
  };
}
