import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { transferSuite } from '../testing/transfer-suite.js';
import { openLmdb } from './open.js';
import { openLmdbReceiver } from './receiver.js';
import { openLmdbSnapshot } from './snapshot.js';

transferSuite('lmdb', async () => {
  const path = await mkdtemp(join(tmpdir(), 'lmdb-transfer.'));
  return {
    open: () => openLmdb({ path, domain: 'svc.app' }),
    snapshot: () => openLmdbSnapshot(path),
    receive: (options) => openLmdbReceiver(path, options),
    remove: () => rm(path, { recursive: true }),
  };
});
