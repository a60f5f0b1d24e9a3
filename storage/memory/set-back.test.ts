import { expect } from 'chai';
import { Cacher } from '../cacher/cacher.js';
import { Engine } from '../engine/engine.js';
import { partsOf } from '../key.js';
import { expectCode } from '../testing/backend/fixture.js';
import { names } from '../testing/engine/foreign.js';
import { create, DEFINITIONS, FOLDERS } from '../testing/engine/resources.js';
import { watch } from '../testing/engine/watch-steps.js';
import { copyOf, type MemoryStore, memoryStore, openMemory, setBack } from './backend.js';

async function start(store: MemoryStore) {
  const backend = openMemory(store, Date.now, true);
  const cacher = await Cacher.open(backend, { definitions: DEFINITIONS });
  const engine = new Engine(backend, cacher, { catchUpWithin: 500 });
  return {
    backend,
    cacher,
    create: (name: string) => engine.transact(create(FOLDERS, name)),
    close: async () => {
      await engine.close();
      await cacher.close();
      await backend.close();
    },
  };
}

describe('a store in memory that is set back under a server', () => {
  let store: MemoryStore;
  let copy: MemoryStore;
  let server: Awaited<ReturnType<typeof start>>;
  beforeEach(async () => {
    store = memoryStore();
    server = await start(store);
    await server.create('old');
    copy = copyOf(store);
    await server.create('lost');
  });
  afterEach(() => server.close());

  /** The copy, after another server has written. */
  async function written(...more: readonly string[]): Promise<MemoryStore> {
    const other = await start(copy);
    for (const name of more) await other.create(name);
    await other.close();
    return copy;
  }

  for (const more of [[], ['nine'], ['nine', 'ten']])
    it(`is noticed once, and loaded again, if ${more.length} others were written since`, async () => {
      setBack(store, await written(...more));
      const outcome = await server.create('ghost').then(
        () => 'written',
        (error: { readonly code?: string }) => error.code,
      );
      expect(outcome).to.be.oneOf(['diverged', 'unavailable']);
      store.appended.notify();
      while (server.cacher.logId === 0 || server.cacher.isDiverged) await server.cacher.changed.wait();
      expect([server.backend.logId, names(server.cacher)]).to.deep.equal([1, [...more, 'old'].sort()]);
      await server.create('new');
      expect(store.end).to.equal(more.length + 2);
    });

  it('is noticed by a read of its end', async () => {
    setBack(store, copy);
    await expectCode(server.backend.end(), 'diverged');
    expect(await server.backend.end()).to.equal(1);
    expect(server.cacher.isDiverged).to.equal(true);
  });

  it('answers no read of the newest state from the former one, until that of the present one is loaded', async () => {
    setBack(store, copy);
    await expectCode(server.backend.end(), 'diverged');
    await expectCode(server.cacher.fresh(), 'diverged');
    await expectCode(server.cacher.reach(1), 'diverged');
    store.appended.notify();
    while (server.cacher.isDiverged) await server.cacher.changed.wait();
    await server.cacher.fresh();
    expect(names(server.cacher)).to.deep.equal(['old']);
  });

  it('ends each watch, and makes no earlier state of what was kept of the former one', async () => {
    const { cacher } = server;
    const { revision } = cacher;
    const { signal } = new AbortController();
    cacher.past.keep(FOLDERS, revision, cacher.resource(FOLDERS));
    const watched = (async () => {
      const options = { resource: FOLDERS, after: revision, selects: () => true, signal };
      for await (const { deliveries } of watch(cacher, options)) expect(deliveries).to.deep.equal([]);
    })();
    setBack(store, await written('nine', 'ten'));
    store.appended.notify();
    await expectCode(watched, 'compacted');
    await cacher.past.recall(revision);
    const then = [...cacher.past.at(FOLDERS, revision).entries(FOLDERS, '~')];
    expect(then.map(({ key }) => partsOf(key).name)).to.deep.equal(['nine', 'old']);
  });

  it('is noticed by a server that has only followed the log, if the log has grown to the same revision', async () => {
    const follower = await start(store);
    await server.create('followed');
    while (follower.cacher.revision < store.end) await follower.cacher.changed.wait();
    const { end } = store;
    setBack(store, await written('nine', 'ten'));
    expect(store.end).to.equal(end);
    await expectCode(follower.backend.end(), 'diverged');
    await follower.close();
  });
});
