import { expect } from 'chai';
import type { KubeObject, OwnerReference } from '../../pkg/kube/meta/types.js';
import { inWorld, type World } from '../testing/world.js';
import { withOwners, withoutFinalizer } from './collected.js';

const owner = (name: string): OwnerReference => ({ apiVersion: 'v1', kind: 'X', name, uid: name });
const OWNED = { ownerReferences: [owner('x'), owner('y')] };
const collect = (world: World, work: ReturnType<typeof withOwners>, name = 'a') =>
  world.admin.collect(world.kinds.book, 'default', name, work);

describe('the collector’s change of the owners of an object', () => {
  it(
    'replaces them, and nothing else',
    inWorld(async (world) => {
      const { book } = world.kinds;
      const { metadata: before } = await world.put(book, 'a', { x: '1' }, { ...OWNED, labels: { a: 'b' } });
      world.clock.time += 60_000;
      await collect(
        world,
        withOwners(before.uid, (all) => all.slice(1)),
      );
      const now = world.get(book, 'a');
      expect([now?.metadata.ownerReferences, now?.spec, now?.metadata.labels]).to.deep.equal([
        [owner('y')],
        { x: '1' },
        { a: 'b' },
      ]);
      expect([now?.metadata.generation, now?.metadata.annotations]).to.deep.equal([1, before.annotations]);
      await collect(
        world,
        withOwners(before.uid, (all) => [owner('z'), ...all.slice(1)]),
      );
      expect(world.get(book, 'a')?.metadata.ownerReferences).to.deep.equal([owner('z')]);
      await collect(
        world,
        withOwners(before.uid, () => []),
      );
      expect(world.get(book, 'a')?.metadata).to.not.have.property('ownerReferences');
    }),
  );

  it(
    'writes nothing if nothing changes, or if the object is gone, or is another one',
    inWorld(async (world) => {
      const { book } = world.kinds;
      const { metadata } = await world.put(book, 'a', {}, OWNED);
      const { revision } = world.registry.reader;
      await collect(
        world,
        withOwners(metadata.uid, (all) => [...all]),
      );
      await collect(
        world,
        withOwners('another', () => []),
      );
      await collect(
        world,
        withOwners(undefined, () => []),
      );
      await collect(
        world,
        withOwners(metadata.uid, () => []),
        'none',
      );
      await collect(
        world,
        withOwners(undefined, () => [owner('x')]),
        'none',
      );
      expect(world.registry.reader.revision).to.equal(revision);
    }),
  );
});

describe('the collector’s removal of a finalizer', () => {
  const HELD = { finalizers: ['x/y', 'x/z'] };

  it(
    'lets a terminating object go if it was the last one',
    inWorld(async (world) => {
      const { book } = world.kinds;
      const { metadata } = await world.put(book, 'a', { x: '1' }, HELD);
      await world.admin.delete(book, 'default', 'a');
      await collect(world, withoutFinalizer(metadata.uid, 'x/y'));
      expect(world.get(book, 'a')?.metadata.finalizers).to.deep.equal(['x/z']);
      await collect(world, withoutFinalizer(metadata.uid, 'x/z'));
      expect(world.get(book, 'a')).to.equal(undefined);
    }),
  );

  it(
    'leaves an object that something else holds',
    inWorld(async (world) => {
      const { book } = world.kinds;
      const { metadata } = await world.put(book, 'a', {}, { finalizers: ['x/y'] });
      await world.put(book, 'held', { after: 'a' }, HELD);
      await world.admin.delete(book, 'default', 'a');
      await collect(world, withoutFinalizer(metadata.uid, 'x/y'));
      expect(world.get(book, 'a')?.metadata).to.not.have.property('finalizers');
      expect(world.get(book, 'a')?.metadata.deletionTimestamp).to.be.a('string');
    }),
  );

  it(
    'does nothing to an object that is not terminating, has no such finalizer, is gone, or is another one',
    inWorld(async (world) => {
      const { book } = world.kinds;
      const { metadata } = await world.put(book, 'a', {}, HELD);
      const terminating = await world.put(book, 'b', {}, HELD);
      await world.admin.delete(book, 'default', 'b');
      const before: readonly (KubeObject | undefined)[] = ['a', 'b'].map((name) => world.get(book, name));
      await collect(world, withoutFinalizer(metadata.uid, 'x/y'));
      await collect(world, withoutFinalizer(terminating.metadata.uid, 'other'), 'b');
      await collect(world, withoutFinalizer('another', 'x/y'), 'b');
      await collect(world, withoutFinalizer(metadata.uid, 'x/y'), 'none');
      await collect(world, withoutFinalizer(undefined, 'x/y'), 'none');
      expect(['a', 'b'].map((name) => world.get(book, name))).to.deep.equal(before);
    }),
  );
});
