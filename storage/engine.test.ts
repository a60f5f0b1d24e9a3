import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Backend } from './backend.js';
import { openLmdb } from './lmdb/open.js';
import { memoryStore, openMemory } from './memory/backend.js';
import type { Opened } from './testing/backend-suite.js';
import { engineSuite } from './testing/engine-suite.js';

/** `STORAGE=memory,lmdb` narrows the loop. */
const wanted = process.env['STORAGE']?.split(',');
const isWanted = (name: string): boolean => wanted === undefined || wanted.includes(name);

async function openOnMemory(shared: boolean): Promise<Opened> {
  const store = memoryStore();
  const opened: Backend[] = [];
  const open = async (): Promise<Backend> => {
    const backend = openMemory(store, Date.now, shared);
    opened.push(backend);
    return backend;
  };
  const close = async (): Promise<void> => {
    await Promise.all(opened.splice(0).map((backend) => backend.close()));
  };
  return {
    backend: await open(),
    reopen: async () => {
      await close();
      return open();
    },
    ...(shared && { another: open }),
    destroy: close,
  };
}

async function openOnLmdb(): Promise<Opened> {
  const path = await mkdtemp(join(tmpdir(), 'engine-suite.'));
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

if (isWanted('memory')) {
  engineSuite('memory', () => openOnMemory(false), { runs: 60 });
  engineSuite('memory shared by several servers', () => openOnMemory(true), { runs: 60 });
}
if (isWanted('lmdb')) engineSuite('lmdb', openOnLmdb, { runs: 15 });
