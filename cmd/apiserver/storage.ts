import { resolve } from 'node:path';
import type { Settings } from '../../pkg/config/schema.js';
import type { Backend } from '../../storage/backend.js';
import { openLmdb } from '../../storage/lmdb/open.js';

/** Opens the backend that the settings name. Rejects with StorageError `refused` and a message for the operator. */
export function openBackend({ storage, paths, api }: Settings): Promise<Backend> {
  if (storage.backend === 'embedded') return openLmdb({ path: resolve(paths.data, 'store'), domain: api.domain });
  return openDatabase(storage.mongodb_uri ?? '', storage.mongodb_database, api.domain);
}

/** The driver is loaded only when needed, because it makes the start of a small server much slower. */
async function openDatabase(uri: string, database: string, domain: string): Promise<Backend> {
  const { openMongodb } = await import('../../storage/mongodb/open.js');
  return openMongodb({ uri, database, domain });
}
