import { expect } from 'chai';
import type { KubeObject } from '../../pkg/kube/meta/types.js';
import { blocking, type Collecting, owners, owning, withCollector } from './testing/collecting.js';

const HELD = { finalizers: ['x/y'] };
const HOLDER = { apiVersion: 'unknown.svc.app/v1', kind: 'Unknown', name: 'x', uid: 'x' };
const ownersOf = (object: KubeObject | undefined) => object?.metadata.ownerReferences?.map(({ name }) => name);

for (const [how, isFollowing] of [
  ['that looks at everything', false],
  ['that follows the changes', true],
] as const) {
  const test = (title: string, work: (world: Collecting) => Promise<void>, options = {}): void => {
    it(title, withCollector(work, isFollowing, options));
  };

  describe(`the garbage collector ${how}`, () => {
    test('deletes what only a deleted object owned, directly or indirectly, of all kinds', async (world) => {
      const { kinds, put, remove, collect, names } = world;
      const w = await put(kinds.writer, 'w');
      const b = await put(kinds.book, 'b', {}, owners(w));
      await put(kinds.shelf, 's', {}, owners(b));
      await put(kinds.slip, 'p', {}, owners(b));
      await put(kinds.book, 'free');
      await put(kinds.book, 'owned', {}, owners(await put(kinds.writer, 'living')));
      await remove(w);
      await collect();
      expect(await names(kinds.book)).to.deep.equal(['free', 'owned']);
      expect([await names(kinds.shelf), await names(kinds.slip), await names(kinds.writer)]).to.deep.equal([
        [],
        [],
        ['living'],
      ]);
    });

    test('keeps what has another owner, also one of an unknown kind, without the reference to the deleted one', async (world) => {
      const { kinds, put, remove, collect, get, all } = world;
      const [w, v] = [await put(kinds.writer, 'w'), await put(kinds.writer, 'v')];
      await put(kinds.book, 'b', {}, owners(w, v));
      await put(kinds.book, 'c', {}, owners(HOLDER, w));
      await put(kinds.slip, 'p', {}, owners(w, v));
      const before = get(kinds.book, 'b')?.metadata;
      await remove(w);
      await collect();
      expect([ownersOf(get(kinds.book, 'b')), ownersOf(get(kinds.book, 'c'))]).to.deep.equal([['v'], ['x']]);
      expect((await all(kinds.slip)).map(ownersOf)).to.deep.equal([['v']]);
      expect(get(kinds.book, 'b')?.metadata.annotations).to.deep.equal(before?.annotations);
      expect(get(kinds.book, 'b')?.metadata.generation).to.equal(1);
    });

    test('deletes what is made with an owner that does not exist, or whose name another object has', async (world) => {
      const { kinds, put, collect, names } = world;
      const w = await put(kinds.writer, 'w');
      await put(kinds.book, 'wrong-uid', {}, owners(owning(w, { uid: 'other' })));
      await put(kinds.book, 'wrong-name', {}, owners(owning(w, { name: 'other' })));
      await put(kinds.slip, 'wrong', {}, owners(owning(w, { uid: 'other' })));
      await put(kinds.book, 'right', {}, owners(w));
      await put(kinds.book, 'unknown', {}, owners(HOLDER));
      await collect();
      expect([await names(kinds.book), await names(kinds.slip)]).to.deep.equal([['right', 'unknown'], []]);
    });

    test('assumes that an owner stays that the object cannot have: one in a namespace, of what is in none', async (world) => {
      const { kinds, put, collect, names } = world;
      const b = await put(kinds.book, 'b');
      await put(kinds.writer, 'w', {}, owners(owning(b, { uid: 'other' })));
      await collect();
      expect(await names(kinds.writer)).to.deep.equal(['w']);
    });

    test('finds owners in the namespace of the object only', async (world) => {
      const { kinds, put, collect, names } = world;
      const b = await put(kinds.book, 'b');
      await put(kinds.shelf, 'near', {}, owners(b));
      await put(kinds.shelf, 'far', {}, { ...owners(b), namespace: 'other' });
      await collect();
      expect(await names(kinds.shelf)).to.deep.equal(['near']);
    });

    test('finds owners of all kinds', async (world) => {
      const { kinds, put, remove, collect, names } = world;
      const [p, q] = [await put(kinds.slip, 'p'), await put(kinds.slip, 'q')];
      await put(kinds.book, 'b', {}, owners(p));
      await put(kinds.book, 'c', {}, owners(q));
      await remove(p);
      await collect();
      expect(await names(kinds.book)).to.deep.equal(['c']);
    });

    test('lets an object that is deleted in the foreground go after what it owns and what blocks it', async (world) => {
      const { kinds, put, remove, collect, names, change } = world;
      const w = await put(kinds.writer, 'w');
      const b = await put(kinds.book, 'b', {}, blocking(w));
      await put(kinds.shelf, 's', {}, { ...blocking(b), ...HELD });
      await put(kinds.slip, 'p', {}, blocking(w));
      await remove(w, 'Foreground');
      await collect();
      expect([await names(kinds.writer), await names(kinds.book), await names(kinds.slip)]).to.deep.equal([
        ['w'],
        ['b'],
        [],
      ]);
      await change(kinds.shelf, 's', {}, { finalizers: [] });
      await collect();
      expect([await names(kinds.writer), await names(kinds.book), await names(kinds.shelf)]).to.deep.equal([
        [],
        [],
        [],
      ]);
    });

    test('does not let it wait for what does not block it, nor for what has another owner', async (world) => {
      const { kinds, put, remove, collect, names, get } = world;
      const [w, v] = [await put(kinds.writer, 'w'), await put(kinds.writer, 'v')];
      await put(kinds.book, 'held', {}, { ...owners(w), ...HELD });
      await put(kinds.shelf, 'shared', {}, blocking(w, v));
      await remove(w, 'Foreground');
      await collect();
      expect([await names(kinds.writer), await names(kinds.shelf)]).to.deep.equal([['v'], ['shared']]);
      expect(ownersOf(get(kinds.shelf, 'shared'))).to.deep.equal(['v']);
      expect(get(kinds.book, 'held')?.metadata.deletionTimestamp).to.be.a('string');
    });

    test('deletes in the foreground also what owns others in turn', async (world) => {
      const { kinds, put, remove, collect, get, names } = world;
      const w = await put(kinds.writer, 'w');
      const b = await put(kinds.book, 'b', {}, blocking(w));
      await put(kinds.slip, 'p', {}, { ...blocking(b), ...HELD });
      await remove(w, 'Foreground');
      await collect();
      expect(get(kinds.book, 'b')?.metadata.finalizers).to.deep.equal(['foregroundDeletion']);
      expect([await names(kinds.writer), await names(kinds.slip)]).to.deep.equal([['w'], ['p']]);
    });

    test('lets what was deleted in the background go before what that owns, and does not wait for it', async (world) => {
      const { kinds, put, remove, collect, names } = world;
      const w = await put(kinds.writer, 'w');
      const b = await put(kinds.book, 'b', {}, blocking(w));
      await put(kinds.shelf, 's', {}, { ...blocking(b), ...HELD });
      await remove(w);
      await collect();
      expect([await names(kinds.writer), await names(kinds.book), await names(kinds.shelf)]).to.deep.equal([
        [],
        [],
        ['s'],
      ]);
    });

    test('deletes what has only owners that are gone or wait for it, and keeps what has another one without these', async (world) => {
      const { kinds, put, remove, collect, names, get } = world;
      const [w, v, u] = [await put(kinds.writer, 'w'), await put(kinds.writer, 'v'), await put(kinds.writer, 'u')];
      await put(kinds.book, 'lost', {}, { ...owners(w), ...owners(w, v) });
      await put(kinds.book, 'kept', {}, owners(w, u, v));
      await put(kinds.shelf, 'holds', {}, { ...blocking(v), ...HELD });
      await remove(w);
      await remove(v, 'Foreground');
      await collect();
      expect([await names(kinds.book), ownersOf(get(kinds.book, 'kept'))]).to.deep.equal([['kept'], ['u']]);
    });

    test('tells owners apart by their kind, too', async (world) => {
      const { kinds, put, remove, collect, get } = world;
      const [w, v] = [await put(kinds.writer, 'w'), await put(kinds.writer, 'v')];
      const strange = { ...owning(w), kind: 'Unknown' };
      await put(kinds.book, 'b', {}, owners(strange, w, v));
      await remove(w);
      await collect();
      expect(get(kinds.book, 'b')?.metadata.ownerReferences).to.deep.equal([strange, owning(v)]);
    });

    test('makes an object not block its owners only in a circle', async (world) => {
      const { kinds, put, remove, collect, get } = world;
      const [w, v] = [await put(kinds.writer, 'w'), await put(kinds.writer, 'v')];
      const b = await put(
        kinds.book,
        'b',
        {},
        { ownerReferences: [...owners(w).ownerReferences, ...blocking(v).ownerReferences] },
      );
      await put(kinds.shelf, 's', {}, { ...blocking(b), ...HELD });
      await remove(get(kinds.shelf, 's') as KubeObject);
      for (const one of [w, v]) await remove(one, 'Foreground');
      await collect();
      expect(get(kinds.book, 'b')?.metadata.finalizers).to.deep.equal(['foregroundDeletion']);
      expect([get(kinds.writer, 'v')?.metadata.name, get(kinds.writer, 'w')]).to.deep.equal(['v', undefined]);
    });

    test('ends a circle of objects that block each other', async (world) => {
      const { kinds, put, remove, collect, names, admin } = world;
      const w = await put(kinds.writer, 'w');
      const v = await put(kinds.writer, 'v', {}, blocking(w));
      await admin.update(kinds.writer, '', 'w', (old) => ({ ...old, metadata: { ...old.metadata, ...blocking(v) } }));
      await remove(w, 'Foreground');
      await collect();
      expect(await names(kinds.writer)).to.deep.equal([]);
    });

    test('leaves what an orphaning object owned, without it, and lets it go', async (world) => {
      const { kinds, put, remove, collect, names, get, all } = world;
      const [w, v] = [await put(kinds.writer, 'w'), await put(kinds.writer, 'v')];
      await put(kinds.book, 'b', {}, blocking(w, v));
      await put(kinds.book, 'c', {}, { ...owners(owning(w, { kind: 'Shelf' }), w), labels: { a: 'b' } });
      await put(kinds.slip, 'p', {}, owners(w));
      await remove(w, 'Orphan');
      expect(get(kinds.writer, 'w')?.metadata.finalizers).to.deep.equal(['orphan']);
      await collect();
      expect(await names(kinds.writer)).to.deep.equal(['v']);
      expect(ownersOf(get(kinds.book, 'b'))).to.deep.equal(['v']);
      expect((await all(kinds.slip)).map(({ metadata }) => metadata.ownerReferences)).to.deep.equal([undefined]);
    });

    test('does for an object with other finalizers what it can, and leaves those', async (world) => {
      const { kinds, put, remove, collect, get } = world;
      const w = await put(kinds.writer, 'w', {}, HELD);
      const p = await put(kinds.slip, 'p', {}, HELD);
      await put(kinds.book, 'b', {}, owners(w));
      await put(kinds.book, 'c', {}, owners(p));
      for (const one of [w, p]) await remove(one, 'Foreground');
      await collect();
      expect(get(kinds.writer, 'w')?.metadata.finalizers).to.deep.equal(['x/y']);
      expect([get(kinds.book, 'b'), get(kinds.book, 'c')]).to.deep.equal([undefined, undefined]);
      expect((await world.all(kinds.slip))[0]?.metadata.finalizers).to.deep.equal(['x/y']);
    });

    test('leaves alone what terminates already', async (world) => {
      const { kinds, put, remove, collect, get } = world;
      const w = await put(kinds.writer, 'w');
      await put(kinds.book, 'b', {}, { ...owners(w), ...HELD });
      await remove(get(kinds.book, 'b') as KubeObject);
      const before = get(kinds.book, 'b');
      await remove(w);
      await collect();
      expect(get(kinds.book, 'b')).to.deep.equal(before);
    });

    test('also if only one of its owners is gone', async (world) => {
      const { kinds, put, remove, collect, get } = world;
      const [w, stays] = [await put(kinds.writer, 'w'), await put(kinds.writer, 'stays')];
      await put(kinds.book, 'b', {}, { ...owners(w, stays), ...HELD });
      await remove(get(kinds.book, 'b') as KubeObject);
      const before = get(kinds.book, 'b');
      await remove(w);
      await collect();
      expect(get(kinds.book, 'b')).to.deep.equal(before);
    });
  });
}
