import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import type { Kind } from '../kinds/kind.js';
import { inWorld } from '../testing/world.js';
import { startGarbageCollector } from './garbage-collector.js';
import { Refused } from './refused.js';
import { owners, owning, withCollector } from './testing/collecting.js';

const SECOND = 1000;

describe('the garbage collector of a server', () => {
  it(
    'works until it is stopped',
    inWorld(async ({ kinds, put, names, registry }) => {
      const stop = startGarbageCollector(registry, { onError: () => undefined });
      const gone = { apiVersion: 'library.svc.app/v1', kind: 'Writer', name: 'w', uid: 'w' };
      await put(kinds.book, 'a', {}, owners(gone));
      for (let i = 0; i < 1000 && (await names(kinds.book)).length > 0; i++) await turn();
      await stop();
      await put(kinds.book, 'b', {}, owners(gone));
      for (let i = 0; i < 10; i++) await turn();
      expect(await names(kinds.book)).to.deep.equal(['b']);
    }),
  );
});

describe('a reference to an owner in another namespace', () => {
  it(
    'is told to people once, for what is new',
    withCollector(
      async (world) => {
        const { kinds, put, collect, told, admin } = world;
        for (const name of ['default', 'other', 'third']) await put(kinds.namespace, name);
        const b = await put(kinds.book, 'b', {}, { namespace: 'other' });
        const holder = { apiVersion: 'x/v1', kind: 'X', name: 'x', uid: 'x' };
        const { metadata } = await put(kinds.shelf, 's', {}, owners(b, holder));
        await collect();
        expect(told).to.deep.equal([
          {
            reason: 'OwnerRefInvalidNamespace',
            type: 'Warning',
            message: `ownerRef [library.svc.app/v1/Book, namespace: default, name: b, uid: ${b.metadata.uid}] does not exist in namespace "default"`,
            about: { apiVersion: 'library.svc.app/v1', kind: 'Shelf', namespace: 'default', name: 's' },
            uid: metadata.uid,
          },
        ]);
        await put(kinds.shelf, 'kept', {}, owners(holder, owning(b, { uid: 'nobody' })));
        await put(kinds.shelf, 'fine', {}, owners(await put(kinds.book, 'near')));
        await put(kinds.shelf, 'cluster', {}, owners(owning(await put(kinds.writer, 'w'), { uid: 'other' }), holder));
        await collect();
        expect(told).to.have.length(1);
        const wide = await put(kinds.writer, 'wide', {}, owners(b));
        await collect();
        expect(told.map(({ about }) => about.name)).to.deep.equal(['s', 'wide']);
        await admin.update(kinds.writer, '', 'wide', (old) => ({ ...old, spec: { x: 'y' } }));
        await collect();
        expect([told.length, told[1]?.uid]).to.deep.equal([2, wide.metadata.uid]);
      },
      true,
      { withNamespaces: true },
    ),
  );

  it(
    'cannot be known, and is not told, where there are no namespaces',
    withCollector(async ({ kinds, put, collect, told }) => {
      const b = await put(kinds.book, 'b', {}, { namespace: 'other' });
      const holder = { apiVersion: 'x/v1', kind: 'X', name: 'x', uid: 'x' };
      await put(kinds.shelf, 's', {}, owners(b, holder));
      await collect();
      expect(told).to.deep.equal([]);
    }, true),
  );
});

describe('what was refused', () => {
  it('is remembered for a thousand objects', async () => {
    const clock = { time: 0, now: (): number => clock.time };
    const refused = new Refused(clock);
    const add = (i: number) => refused.add({ kind: {} as Kind, entry: { key: `r//${i}` } } as never);
    const news = Array.from({ length: 1001 }, (_, i) => add(i));
    expect([news.filter(Boolean).length, news.at(-1)]).to.deep.equal([1000, false]);
    expect(refused.due()).to.deep.equal([]);
    clock.time = 30 * SECOND;
    const due = refused.due();
    expect(due).to.have.length(1000);
    for (const { key } of due) refused.delete(key);
    expect([refused.due(), add(0), add(0), add(2000)]).to.deep.equal([[], false, false, true]);
    // The thousand that people were told of are forgotten then.
    expect([add(1), add(1), add(2000)]).to.deep.equal([true, false, false]);
    clock.time += 30 * SECOND - 1;
    expect(refused.due()).to.deep.equal([]);
    clock.time += 1;
    expect(refused.due().map(({ key }) => key)).to.deep.equal(['r//0', 'r//2000', 'r//1']);
  });

  it('is tried again after half a minute, also if several objects are refused once more', () => {
    const clock = { time: 0, now: (): number => clock.time };
    const refused = new Refused(clock);
    const add = (key: string) => refused.add({ kind: {} as Kind, entry: { key } } as never);
    for (const key of ['r//a', 'r//b']) add(key);
    clock.time = 30 * SECOND;
    for (const { key } of refused.due()) {
      refused.delete(key);
      add(key);
    }
    clock.time += 30 * SECOND - 1;
    expect(refused.due()).to.deep.equal([]);
    clock.time += 1;
    expect(refused.due()).to.have.length(2);
  });
});
