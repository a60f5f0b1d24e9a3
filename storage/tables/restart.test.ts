import { readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { DASHBOARDS, FOLDERS, NOTES } from '../testing/engine/resources.js';
import { eachFolder } from './testing/objects.js';
import {
  change,
  expectSame,
  type KeptOptions,
  type KeptServer,
  lmdbStore,
  memoryStoreOf,
  type Store,
  startKept,
} from './testing/server.js';

/** In the order in which they are read. */
const ALL = [FOLDERS, DASHBOARDS, NOTES];

const STORES: Readonly<Record<string, (folder: string) => Store>> = {
  lmdb: (folder) => lmdbStore(folder),
  'memory, shared': () => memoryStoreOf(),
};

for (const [name, storeIn] of Object.entries(STORES))
  describe(`a server that starts again with what it has kept (${name})`, () => {
    const root = eachFolder();
    const running = new Set<KeptServer>();
    const objects = (): string => join(root(), 'objects');
    let store: Store;

    beforeEach(() => {
      store = storeIn(root());
    });
    afterEach(async () => {
      for (const server of running) await server.kill();
      running.clear();
    });

    async function start(of: Store = store, options: Partial<KeptOptions> = {}): Promise<KeptServer> {
      const server = await startKept(of, { path: objects(), ...options });
      running.add(server);
      return server;
    }

    async function end(server: KeptServer, isKilled = false): Promise<void> {
      running.delete(server);
      await (isKilled ? server.kill() : server.stop());
      expect(server.errors).to.deep.equal([]);
    }

    /** A server writes objects, and keeps those up to here. */
    async function keep(names: readonly string[], of: Store = store): Promise<KeptServer> {
      const server = await start(of);
      for (const one of names) await change(server, one, { title: one });
      await server.checkpointer.flush();
      return server;
    }

    /** A server starts, and has read all from the store. */
    async function expectFilled(of: Store = store): Promise<void> {
      const server = await start(of);
      expect(server.reads.loaded).to.deep.equal(ALL);
      await expectSame(server);
      await end(server);
      // From now on, it keeps what this store has.
      const again = await start(of);
      expect(again.reads.loaded).to.deep.equal([]);
      await expectSame(again);
    }

    it('reads no objects from the store after it was stopped, and has the same state', async () => {
      const first = await start();
      expect(first.reads.loaded).to.deep.equal(ALL);
      for (const one of ['a', 'b', 'c']) await change(first, one, { title: one });
      await change(first, 'd', { parent: 'a' }, DASHBOARDS);
      await change(first, 'b');
      await change(first, 'c', { title: 'c', parent: 'a' });
      await end(first);
      for (let times = 0; times < 3; times++) {
        const server = await start();
        expect(server.reads.loaded).to.deep.equal([]);
        // The commit at the end tells that it is the same store.
        expect(server.reads.changes).to.deep.equal([]);
        await expectSame(server);
        if (times < 2) await change(server, `more-${times}`, { title: 'x' });
        await end(server);
      }
    });

    it('reads only the changes since from the log after it was killed', async () => {
      const server = await keep(['a', 'b', 'c', 'd']);
      await change(server, 'e', {});
      await change(server, 'a');
      await change(server, 'b', { title: 'new' });
      await change(server, 'a', { title: 'again' });
      await end(server, true);
      const again = await start();
      expect(again.reads.loaded).to.deep.equal([]);
      // The commit at 4 tells that it is the same store.
      expect([...new Set(again.reads.changes)]).to.deep.equal([5, 6, 7, 8]);
      await expectSame(again);
    });

    it('has the same state wherever flushes were between writes and deletions', async () => {
      const names = ['a', 'b', 'c', 'd', 'e', 'f'];
      let server = await start();
      for (let i = 0; i < 60; i++) {
        const at = names[(i * i + 3) % names.length] as string;
        await change(server, at, i % 7 === 3 ? undefined : { title: `${i}`, parent: i % 2 === 0 ? 'a' : 'b' });
        if (i % 5 === 0) await server.checkpointer.flush();
        if (i % 9 === 0) {
          await end(server, i % 2 === 0);
          server = await start();
          expect(server.reads.loaded).to.deep.equal([]);
        }
        await expectSame(server);
      }
    });

    it('fills the folder again if that is of another store', async () => {
      await end(await keep(['a', 'b', 'c']));
      const other = storeIn(join(root(), 'other'));
      renameSync(objects(), `${objects()}-first`);
      await end(await keep(['x', 'y', 'z'], other));
      rmSync(objects(), { recursive: true });
      renameSync(`${objects()}-first`, objects());
      await expectFilled(other);
    });

    it('fills the folder again if the store is an older copy', async () => {
      await end(await keep(['a', 'b']));
      const older = await store.copy();
      await end(await keep(['c', 'd']));
      await expectFilled(older);
    });

    it('fills the folder again if the store has gone another way since it was copied', async () => {
      await end(await keep(['a', 'b']));
      const copy = await store.copy();
      await end(await keep(['c', 'd']));
      const kept = `${objects()}-kept`;
      renameSync(objects(), kept);
      await end(await keep(['x', 'y', 'z'], copy));
      rmSync(objects(), { recursive: true });
      renameSync(kept, objects());
      await expectFilled(copy);
    });

    it('fills the folder again if the other way ends with the same change', async () => {
      await end(await keep(['a', 'b']));
      const copy = await store.copy();
      const server = await keep(['c', 'd']);
      await change(server, 'b');
      await end(server);
      const kept = `${objects()}-kept`;
      renameSync(objects(), kept);
      const other = await keep(['x', 'y'], copy);
      await change(other, 'b');
      await end(other);
      rmSync(objects(), { recursive: true });
      renameSync(kept, objects());
      await expectFilled(copy);
    });

    it('fills the folder again if the log has lost changes since', async () => {
      const server = await keep(['a', 'b', 'c']);
      await change(server, 'd', {});
      await change(server, 'a');
      await server.backend.compact(5);
      await end(server, true);
      await expectFilled();
    });

    it('uses what it has kept if the log is compacted, but nothing has changed since', async () => {
      const server = await keep(['a', 'b', 'c']);
      await server.backend.compact(3);
      await end(server);
      for (let times = 0; times < 2; times++) {
        const again = await start();
        expect(again.reads.loaded).to.deep.equal([]);
        await expectSame(again);
        await end(again);
      }
    });

    it('has the right state if the log is compacted, and a deletion was the last change', async () => {
      const server = await keep(['a', 'b', 'c']);
      await change(server, 'c');
      await server.checkpointer.flush();
      await server.backend.compact(4);
      await end(server);
      await expectSame(await start());
    });

    it('fills the folder again if the log of another store is compacted at the same revision', async () => {
      await end(await keep(['a', 'b', 'c']));
      const other = storeIn(join(root(), 'other'));
      renameSync(objects(), `${objects()}-first`);
      const server = await keep(['a', 'b', 'x'], other);
      await server.backend.compact(3);
      await end(server);
      rmSync(objects(), { recursive: true });
      renameSync(`${objects()}-first`, objects());
      await expectFilled(other);
    });

    it('reads objects that stay in memory from the store, and has them in no file', async () => {
      const inMemory = (resource: string): boolean => resource === DASHBOARDS;
      const server = await start(store, { inMemory });
      await change(server, 'a', { title: 'open words' });
      await change(server, 'b', { title: 'secret words' }, DASHBOARDS);
      await server.checkpointer.flush();
      await change(server, 'c', { title: 'secret words' }, DASHBOARDS);
      await end(server);
      const files = readdirSync(objects()).map((one) => readFileSync(join(objects(), one), 'latin1'));
      expect(files.join('')).to.include('open words').and.not.include('secret words');
      expect(files.join('')).to.not.include('dashboards');
      const again = await start(store, { inMemory });
      expect(again.reads.loaded).to.deep.equal([DASHBOARDS]);
      await expectSame(again);
    });
  });
