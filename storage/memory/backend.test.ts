import { backendSuite, type Opened } from '../testing/backend-suite.js';
import { memoryStore, openMemory } from './backend.js';

async function openStore(): Promise<Opened> {
  const store = memoryStore();
  const first = openMemory(store, Date.now, true);
  let opened = [first];
  const close = async (): Promise<void> => {
    await Promise.all(opened.map((backend) => backend.close()));
    opened = [];
  };
  const open = async () => {
    const backend = openMemory(store, Date.now, true);
    opened.push(backend);
    return backend;
  };
  return {
    backend: first,
    reopen: async () => {
      await close();
      return open();
    },
    another: open,
    destroy: close,
  };
}

backendSuite('memory', openStore);
