import { resolve } from 'node:path';
import { databaseOf, databaseWarning, formerDatabaseOf } from '../../pkg/config/mongodb.js';
import type { Settings } from '../../pkg/config/schema.js';
import type { Backend } from '../../storage/backend.js';
import { type LmdbOptions, openLmdb } from '../../storage/lmdb/open.js';
import type { DatabaseMonitor } from '../../storage/mongodb/connection/monitor.js';
import type { MongodbOptions } from '../../storage/mongodb/connection/options.js';

/** Tells the operator something. */
export type Warn = (message: string) => void;

/** What the operator learns of a store. */
export interface StoreObserver {
  readonly warn?: Warn;
  readonly monitor?: DatabaseMonitor | undefined;
}

/** Opens the backend that the settings name. Rejects with StorageError `refused` and a message for the operator. */
export function openBackend(settings: Settings, { warn, monitor }: StoreObserver = {}): Promise<Backend> {
  const { storage, api } = settings;
  if (storage.backend === 'embedded') return openLmdb(embeddedStore(settings));
  const warning = databaseWarning(storage);
  if (warning !== undefined) warn?.(warning);
  return openDatabase({
    uri: storage.mongodb_uri ?? '',
    database: databaseOf(storage),
    former: formerDatabaseOf(storage),
    domain: api.domain,
    ...(warn && { warn }),
    ...(monitor && { monitor }),
  });
}

/** The driver is loaded only when needed, because it makes the start of a small server much slower. */
async function openDatabase(options: MongodbOptions): Promise<Backend> {
  const { openMongodb } = await import('../../storage/mongodb/open.js');
  return openMongodb(options);
}

/** The folder and the domain of the embedded store. */
export function embeddedStore({ paths, api }: Settings): Pick<LmdbOptions, 'path' | 'domain'> {
  return { path: resolve(paths.data, 'store'), domain: api.domain };
}
