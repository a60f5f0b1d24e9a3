import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backendSuite, type Opened } from '../testing/backend-suite.js';
import { openLmdb } from './open.js';

async function openStore(): Promise<Opened> {
  const path = await mkdtemp(join(tmpdir(), 'lmdb-suite.'));
  let backend = await openLmdb({ path, domain: 'svc.app' });
  return {
    backend,
    reopen: async () => {
      await backend.close();
      backend = await openLmdb({ path, domain: 'svc.app' });
      return backend;
    },
    destroy: async () => {
      await backend.close();
      await rm(path, { recursive: true });
    },
  };
}

backendSuite('lmdb', openStore);
