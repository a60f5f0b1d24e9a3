import { expect } from 'chai';
import { key, write } from '../testing/backend/fixture.js';
import { all, creationOf, failureOf, headOf, held, using } from '../testing/transfer/fixture.js';
import { begin, openLmdbReceiver } from './receiver.js';
import { openLmdbSnapshot } from './snapshot.js';
import { type LmdbTables, META, versionOf } from './tables.js';
import { DOMAIN, eachFolder, intrude, withStore, withTables } from './testing/folder.js';

const NONE = new Set<never>();

describe('lmdb: a receiver', () => {
  const folder = eachFolder();
  const receive = (origin = 'one') => openLmdbReceiver(folder(), { domain: DOMAIN, origin, replaces: false });

  it('fills a store that a server has opened, but not written to', async () => {
    await withStore(folder(), async () => undefined);
    await using(receive(), (receiver) => receiver.finish(headOf(0)));
    await using(receive('two'), (receiver) => receiver.put([held('a', 1)], NONE));
  });

  it('refuses a store that has objects, though its log is empty', async () => {
    await using(receive(), async (receiver) => {
      await receiver.put([held('a', 1)], NONE);
      await receiver.finish(headOf(0));
    });
    expect(await failureOf(receive('two'))).to.include('has data of its own');
  });

  it('leaves the folder free if it is refused', async () => {
    await withStore(folder(), (backend) => write(backend, [{ key: key('a'), value: '1' }]));
    for (let i = 0; i < 2; i++) expect(await failureOf(receive())).to.include('has data of its own');
  });

  it('takes nothing of what was there before for its own work, if it was interrupted while it removed that', async () => {
    await withStore(folder(), (backend) => write(backend, [{ key: key('other'), value: '1' }]));
    await withTables(folder(), async (tables) => {
      const clearAsync = (): Promise<void> => Promise.reject(new Error('interrupted'));
      const get = (objects: LmdbTables['objects'], name: string): unknown =>
        name === 'clearAsync' ? clearAsync : Reflect.get(objects, name);
      const interrupted = { ...tables, objects: new Proxy(tables.objects, { get }) };
      const replacing = begin(interrupted, folder(), { domain: DOMAIN, origin: 'one', replaces: true });
      expect(await failureOf(replacing)).to.include('interrupted');
    });
    await using(receive(), async (receiver) => {
      expect([await all(receiver.present()), await receiver.logged(0)]).to.deep.equal([[], 0]);
    });
  });

  it('ends if another process has written to its store', async () => {
    await using(receive(), async (receiver) => {
      await intrude(folder(), 0);
      expect(await failureOf(receiver.put([held('a', 1)], NONE))).to.include(
        'Another process has written to the store',
      );
      expect(await all(receiver.objects())).to.deep.equal([]);
    });
  });

  it('writes again what it has finished, and goes on from its end', async () => {
    await using(receive(), async (receiver) => {
      await receiver.log([creationOf(1, held('a', 1))]);
      await receiver.finish(headOf(1));
      await receiver.put([held('b', 2)], NONE);
      await receiver.finish(headOf(2, { at: 77 }));
    });
    await withTables(folder(), async ({ meta }) => {
      expect(meta.getEntry(META.end)).to.deep.include({ value: { end: 2, at: 77 }, version: versionOf(2) });
      expect(meta.get(META.origin)).to.deep.equal({ origin: 'one', end: 2 });
    });
  });

  it('is read in chunks of 512 KiB or 500 objects', async () => {
    const large = ['a', 'b', 'c', 'd', 'e'].map((name, i) => ({ ...held(name, i + 1), value: Buffer.alloc(300_000) }));
    const small = Array.from({ length: 501 }, (_, i) => held(`n${1000 + i}`, i + 6));
    const sizes: number[] = [];
    await using(receive(), async (receiver) => {
      await receiver.put([...large, ...small], NONE);
      for await (const chunk of receiver.objects()) sizes.push(chunk.length);
      await receiver.finish(headOf(506));
    });
    expect(sizes).to.deep.equal([2, 2, 500, 2]);
    await using(openLmdbSnapshot(folder()), async (snapshot) => {
      const found: number[] = [];
      for await (const chunk of snapshot.objects()) found.push(chunk.length);
      expect(found).to.deep.equal(sizes);
    });
  });
});
