import { join } from 'node:path';
import { around } from '../testing/engine/around.js';
import { eachFolder } from './testing/objects.js';
import { change, expectSame, memoryStoreOf, startKept } from './testing/server.js';
import { Checkpointer } from './work/checkpointer.js';

function fail(error: unknown): never {
  throw error;
}

describe('a store that was restored from an older copy', () => {
  const root = eachFolder();
  it('has what was removed after the copy, while the files were written', async () => {
    const path = join(root(), 'objects');
    const store = memoryStoreOf();
    const server = await startKept(store, { path });
    await change(server, 'a', { title: 'a' });
    await change(server, 'b', { title: 'b' });
    await server.checkpointer.flush();
    const copy = await store.copy();
    let isFirst = true;
    // The log is read while the files are written. Then `a` is removed.
    const backend = around(server.backend, {
      tail: async function* (after, signal) {
        if (isFirst) {
          isFirst = false;
          await change(server, 'a');
        }
        yield* server.backend.tail(after, signal);
      },
    });
    const checkpointer = new Checkpointer({ ...server, backend, onError: fail });
    await checkpointer.flush();
    await server.kill();
    const again = await startKept(copy, { path });
    try {
      await expectSame(again);
    } finally {
      await again.kill();
    }
  });
});
