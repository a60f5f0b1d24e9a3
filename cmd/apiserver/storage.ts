import { resolve } from 'node:path';
import type { Settings } from '../../pkg/config/schema.js';
import type { Backend } from '../../storage/backend.js';
import { type LmdbOptions, openLmdb } from '../../storage/lmdb/open.js';

/** Opens the backend that the settings name. Rejects with StorageError `refused` and a message for the operator. */
export function openBackend(settings: Settings): Promise<Backend> {
  const { storage, api } = settings;
  if (storage.backend === 'embedded') return openLmdb(embeddedStore(settings));
  return openDatabase(storage.mongodb_uri ?? '', storage.mongodb_database, api.domain);
}

/** The driver is loaded only when needed, because it makes the start of a small server much slower. */
async function openDatabase(uri: string, database: string, domain: string): Promise<Backend> {
  const { openMongodb } = await import('../../storage/mongodb/open.js');
  return openMongodb({ uri, database, domain });
}

/** The folder and the domain of the embedded store. */
export function embeddedStore({ paths, api }: Settings): Pick<LmdbOptions, 'path' | 'domain'> {
  return { path: resolve(paths.data, 'store'), domain: api.domain };
}
