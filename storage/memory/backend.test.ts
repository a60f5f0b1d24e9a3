import { backendSuite } from '../testing/backend-suite.js';
import { memoryStore, openMemory } from './backend.js';

backendSuite('memory', async () => {
  const store = memoryStore();
  let opened = [openMemory(store)];
  const close = async (): Promise<void> => {
    await Promise.all(opened.map((backend) => backend.close()));
    opened = [];
  };
  const open = async () => {
    const backend = openMemory(store);
    opened.push(backend);
    return backend;
  };
  return {
    backend: opened[0] ?? openMemory(store),
    reopen: async () => {
      await close();
      return open();
    },
    another: open,
    destroy: close,
  };
});
