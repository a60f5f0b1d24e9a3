import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Settings } from '../../../pkg/config/schema.js';
import { openLmdbReceiver } from '../../../storage/lmdb/receiver.js';
import { openLmdbSnapshot } from '../../../storage/lmdb/snapshot.js';
import type { Receiver, ReceiverOptions, Snapshot } from '../../../storage/snapshot.js';

/** Where a store is. */
export type Place =
  /** The data folder of a server. */
  { readonly data: string } | { readonly uri: string; readonly database: string };

/** Nothing that the operator starts by hand may end after ten seconds, as the requests of a server do. */
const PATIENCE = { answer: 3_600_000 };

export function placeOf({ storage, paths }: Settings): Place {
  if (storage.backend === 'embedded') return { data: resolve(paths.data) };
  return { uri: storage.mongodb_uri ?? '', database: storage.mongodb_database };
}

const MONGODB = /^mongodb(?:\+srv)?:\/\/(?:[^@/]*@)?([^/?]*)(?:\/([^?]*))?/;
const DATABASE = 'apiserver';

/** The place that an argument names: a data folder, or the URI of a MongoDB with the name of a database. */
export function placeNamed(text: string): Place {
  const found = MONGODB.exec(text);
  if (found === null) return { data: resolve(text) };
  return { uri: text, database: decodeURIComponent(found[2] || DATABASE) };
}

/** For messages. A URI may contain a password, so only its hosts are shown. */
export function nameOf(place: Place): string {
  if ('data' in place) return `the embedded store in ${storeOf(place.data)}`;
  return `the database ${place.database} of MongoDB at ${MONGODB.exec(place.uri)?.[1] ?? '…'}`;
}

/** The driver of MongoDB is loaded only when needed, as in the server. */
export async function openSnapshot(place: Place): Promise<Snapshot> {
  if ('data' in place) return openLmdbSnapshot(storeOf(place.data));
  const { openMongodbSnapshot } = await import('../../../storage/mongodb/snapshot.js');
  return openMongodbSnapshot({ ...place, timeouts: PATIENCE });
}

export async function openReceiver(place: Place, options: ReceiverOptions): Promise<Receiver> {
  if ('data' in place) return openLmdbReceiver(storeOf(place.data), options);
  const { openMongodbReceiver } = await import('../../../storage/mongodb/receiver.js');
  return openMongodbReceiver({ ...place, timeouts: PATIENCE }, options);
}

export function storeOf(data: string): string {
  return join(data, 'store');
}

/** Whether there is anything in the data folder. */
export function hasStore(data: string): boolean {
  return existsSync(join(storeOf(data), 'data.mdb'));
}
