import { join, resolve } from 'node:path';
import { databaseOf } from '../../../pkg/config/mongodb.js';
import type { Settings } from '../../../pkg/config/schema.js';
import { hasDataFile } from '../../../storage/lmdb/data-file.js';
import { uriWarnings } from '../../../storage/mongodb/connection/options.js';
import { UsageError } from '../usage.js';

/** Where a store is. */
export type Place =
  /** The data folder of a server. */
  { readonly data: string } | { readonly uri: string; readonly database: string };

export function placeOf({ storage, paths }: Settings): Place {
  if (storage.backend === 'embedded') return { data: resolve(paths.data) };
  return { uri: storage.mongodb_uri ?? '', database: databaseOf(storage) };
}

/** Everything before the last @ may be part of a password, even of one that is not escaped. */
const MONGODB = /^mongodb(?:\+srv)?:\/\/(?:.*@)?([^/?]*)/s;

/** The place that an argument names: a data folder, or the URI of a MongoDB with the name of a database. */
export function placeNamed(text: string): Place {
  const match = MONGODB.exec(text);
  if (match === null && /^mongodb(\+srv)?:/.test(text))
    throw new UsageError('A MongoDB is named by mongodb://host/DATABASE?replicaSet=rs.');
  if (match === null) return { data: resolve(text) };
  return { uri: text, database: databaseOf({ mongodb_uri: text }) };
}

/** What the URI of a place has and nobody uses, in the words of the server. `option` names the place. */
export function placeWarnings(option: string, place: Place): readonly string[] {
  return 'uri' in place ? uriWarnings(place.uri, option) : [];
}

/** For messages. A URI may contain a password, so only its hosts are shown. */
export function nameOf(place: Place): string {
  if ('data' in place) return `the embedded store in ${storeOf(place.data)}`;
  return `the database ${place.database} of MongoDB at ${MONGODB.exec(place.uri)?.[1] ?? '…'}`;
}

export function storeOf(data: string): string {
  return join(data, 'store');
}

/**
 * Whether there is an embedded store in the data folder. Throws an error for the operator if this user may not look.
 */
export function hasStore(data: string): boolean {
  return hasDataFile(storeOf(data));
}
