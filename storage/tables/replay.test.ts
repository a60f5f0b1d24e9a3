import { join } from 'node:path';
import { expect } from 'chai';
import { FOLDERS } from '../testing/engine/resources.js';
import { eachFolder } from './testing/objects.js';
import { change, expectSame, memoryStoreOf, startKept } from './testing/server.js';

const LENGTH = 150_000;

describe('a server that reads many changes since it was killed', () => {
  const root = eachFolder();

  it('writes them to files on the way, and has the state of the store after it, and after the next start', async () => {
    const [store, path] = [memoryStoreOf(), join(root(), 'objects')];
    let server = await startKept(store, { path });
    const text = (i: number): string => `${i} `.padEnd(LENGTH, 'x');
    for (let i = 0; i < 20; i++) await change(server, `n${i}`, { text: text(i) });
    await server.checkpointer.flush();
    // What is written on the way is replaced and deleted later.
    for (let i = 0; i < 400; i++) {
      const name = `n${(i * 37) % 230}`;
      await change(server, name, i % 5 === 4 ? undefined : { text: text(i), title: `${i % 10}` });
    }
    await server.kill();
    for (const isFlushed of [false, true, false]) {
      server = await startKept(store, { path });
      expect(server.reads.loaded).to.deep.equal([]);
      if (server.reads.changes.length > 100) {
        const state = server.cacher.state.resource(FOLDERS);
        expect(state.parts.length).to.be.greaterThan(1);
        expect(state.bytes).to.be.lessThan(16 * 2 ** 20 + LENGTH * 2);
      }
      await expectSame(server);
      if (isFlushed) await server.checkpointer.flush();
      await expectSame(server);
      await server.kill();
    }
  });
});
