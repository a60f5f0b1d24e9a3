import { expect } from 'chai';
import { StorageError } from '../../storage/errors.js';
import { restore } from '../history/restore.js';
import { tree } from '../history/testing/tree.js';
import { inWorld, refusal, type World } from '../testing/world.js';

const WITH_TRASH = { kinds: { book: { trash: true } } };

describe('what a deletion keeps', () => {
  const retained = async ({ all, kinds }: World) =>
    (await all<{ name: string; object?: object; deletion?: { refused?: string } }>(kinds.retained)).map(
      ({ spec }) =>
        `${spec?.name}${spec?.object ? '' : ', name only'}${spec?.deletion?.refused === undefined ? '' : `: ${spec.deletion.refused}`}`,
    );

  it(
    'is nothing of kinds without trash or history, and of others only what their versions need',
    inWorld(async (world) => {
      const { kinds, put, admin, change } = world;
      await put(kinds.writer, 'w');
      await put(kinds.book, 'b', { by: 'w' });
      await put(kinds.book, 'c', { by: 'w' });
      await change(kinds.book, 'c', { by: 'w', x: '1' });
      await put(kinds.lock, 'l', { of: 'b' });
      await put(kinds.shelf, 's');
      await put(kinds.book, 'on-s', { on: 's' });
      await put(kinds.lock, 'l2', { of: 'on-s' });
      await admin.delete(kinds.writer, '', 'w');
      expect(await retained(world)).to.deep.equal(['c', 'c, name only']);
      await admin.delete(kinds.shelf, 'default', 's');
      expect((await retained(world)).slice(0, 4).toSorted()).to.include('c');
      expect((await retained(world)).filter((one) => !one.startsWith('c')).toSorted()).to.deep.equal(['on-s', 's']);
    }),
  );

  it(
    'is the names alone if too many objects go together, or too large ones, and the caller is warned',
    inWorld(
      async (world) => {
        const { kinds, put, admin } = world;
        await put(kinds.shelf, 's');
        await put(kinds.book, 'on-s', { on: 's' });
        await put(kinds.book, 'on-s-2', { on: 's' });
        expect((await admin.delete(kinds.shelf, 'default', 's')).warnings).to.deep.equal([
          'the deletion cannot be taken back: 3 objects were deleted together, and the trash takes at most 2 (history.max_trash_objects). Only a backup has what was deleted. Delete fewer objects at once, and the trash keeps them',
        ]);
        expect(await retained(world)).to.deep.equal([
          's, name only: 3 objects were deleted together, and the trash takes at most 2 (history.max_trash_objects)',
        ]);
        await put(kinds.shelf, 'large', { x: 'x'.repeat(5000) });
        const { warnings } = await admin.delete(kinds.shelf, 'default', 'large');
        expect(warnings?.[0]).to.match(/objects of \d+ bytes were deleted together, and the trash takes at most 5000/);
        await put(kinds.shelf, 'two');
        await put(kinds.book, 'on-two', { on: 'two' });
        expect((await admin.delete(kinds.shelf, 'default', 'two')).warnings).to.equal(undefined);
        expect(
          (await restore(admin, { kind: kinds.shelf, namespace: 'default', name: 'two' })).written.length,
        ).to.equal(2);
        expect(await refusal(restore(admin, { kind: kinds.shelf, namespace: 'default', name: 's' }))).to.match(
          /^409 .*it is not in the trash: 3 objects/,
        );
      },
      { retention: { maxObjects: 2, maxBytes: 5000 } },
    ),
  );

  it(
    'is its name alone if it is too large, and whoever removes its last finalizer is warned',
    inWorld(
      async ({ kinds, put, admin }) => {
        await put(kinds.shelf, 'large', { x: 'x'.repeat(5000) }, { finalizers: ['example.com/hold'] });
        expect((await admin.delete(kinds.shelf, 'default', 'large')).warnings).to.equal(undefined);
        const { isGone, warnings } = await admin.update(
          kinds.shelf,
          'default',
          'large',
          ({ metadata: { finalizers: _, ...metadata }, ...old }) => ({ ...old, metadata }),
        );
        expect([isGone, warnings?.length]).to.deep.equal([true, 1]);
        expect(warnings?.[0]).to.match(/^the deletion cannot be taken back: objects of \d+ bytes/);
      },
      { retention: { maxBytes: 5000 } },
    ),
  );

  it(
    'is no trash if the server keeps none',
    inWorld(
      async (world) => {
        const { kinds, put, admin, change } = world;
        await put(kinds.shelf, 'a');
        await put(kinds.shelf, 'b');
        await change(kinds.shelf, 'b', { x: '1' });
        expect((await admin.delete(kinds.shelf, 'default', 'a')).warnings).to.equal(undefined);
        expect(await retained(world)).to.deep.equal(['b']);
        await admin.delete(kinds.shelf, 'default', 'b');
        expect(await retained(world)).to.deep.equal(['b', 'b, name only: this server keeps no trash (history.trash)']);
      },
      { retention: { trash: 0 } },
    ),
  );

  it(
    'is what has a trash, also if what it goes with has none',
    inWorld(async (world) => {
      const { kinds, put, admin } = world;
      await put(kinds.writer, 'w');
      await put(kinds.book, 'b', { by: 'w' });
      await admin.delete(kinds.writer, '', 'w');
      expect(await retained(world)).to.deep.equal(['b']);
    }, WITH_TRASH),
  );

  it(
    'is nothing of a namespace that is being emptied',
    inWorld(
      async (world) => {
        const { kinds, put, admin } = world;
        await put(kinds.namespace, 'default');
        await put(kinds.shelf, 'a');
        await put(kinds.shelf, 'b');
        await admin.delete(kinds.shelf, 'default', 'a');
        expect(await retained(world)).to.deep.equal(['a']);
        await admin.delete(kinds.namespace, '', 'default');
        await admin.delete(kinds.shelf, 'default', 'b');
        expect(await retained(world)).to.deep.equal(['a']);
      },
      { withNamespaces: true },
    ),
  );

  it(
    'comes back as objects of their own kind, also if a kind of another group has its name',
    inWorld(
      async ({ kinds, put, admin, get, names }) => {
        await put(kinds.shelf, 's', { x: '1' });
        await put(kinds.shelf, 'on-s', { on: 's' });
        await admin.delete(kinds.shelf, 'default', 's');
        expect((await restore(admin, { kind: kinds.shelf, namespace: 'default', name: 's' })).written.length).to.equal(
          2,
        );
        expect([get(kinds.shelf, 's')?.spec, await names(kinds.namespace)]).to.deep.equal([{ x: '1' }, []]);
      },
      { kinds: { namespace: { kind: 'Shelf' } } },
    ),
  );

  it(
    'is all that went, also if containers lie in each other',
    inWorld(async (world) => {
      const { kinds, put, change, admin, names } = world;
      await put(kinds.shelf, 'a');
      await put(kinds.shelf, 'b', { on: 'a' });
      await change(kinds.shelf, 'a', { on: 'b' });
      await admin.delete(kinds.shelf, 'default', 'a');
      expect(await names(kinds.shelf)).to.deep.equal([]);
      expect((await retained(world)).toSorted()).to.deep.equal(['a', 'a', 'b']);
    }),
  );

  it(
    'is the names alone if the store cannot keep so much in one commit',
    inWorld(async (world) => {
      const { kinds, put, admin, backend } = world;
      await put(kinds.shelf, 's');
      await put(kinds.book, 'on-s', { on: 's' });
      const { append } = backend;
      backend.append = (after, batch) =>
        batch.changes.length > 3 ? Promise.reject(new StorageError('too-large', 'no')) : append(after, batch);
      const { warnings } = await admin.delete(kinds.shelf, 'default', 's');
      expect(warnings?.join()).to.match(/2 objects were deleted together, and the store cannot keep so many at once/);
      expect(await retained(world)).to.have.length(1);
    }),
  );

  it(
    'has the first uid of an object that came back, also of a container',
    inWorld(async (world) => {
      const { kinds, put, admin, all } = world;
      const first = await put(kinds.shelf, 's');
      await admin.delete(kinds.shelf, 'default', 's');
      await restore(admin, { kind: kinds.shelf, namespace: 'default', name: 's' });
      await put(kinds.shelf, 'low', { on: 's' });
      await admin.delete(kinds.shelf, 'default', 'low');
      const kept = await all<{ name: string; deletion?: { containers: readonly object[] } }>(kinds.retained);
      const low = kept.find(({ spec }) => spec?.name === 'low');
      expect(low?.spec?.deletion?.containers).to.deep.equal([{ name: 's', origin: first.metadata.uid }]);
    }),
  );

  it(
    'is told apart for each deletion, with the containers of the object, and in an order in which it can come back',
    inWorld(async (world) => {
      const { kinds, admin, all } = world;
      await tree(world);
      await admin.delete(kinds.shelf, 'default', 'top');
      const kept = await all<{
        name: string;
        deletion: {
          id: string;
          order: number;
          by: string;
          expires: number;
          scopes: string[];
          containers: { name: string; origin: string }[];
        };
      }>(kinds.retained);
      const deletions = kept.map(({ spec }) => ({ name: spec?.name, ...spec?.deletion }));
      expect(new Set(deletions.map(({ id }) => id)).size).to.equal(1);
      expect(deletions.map(({ order }) => order)).to.deep.equal([0, 1, 2, 3, 4]);
      expect(deletions.slice(0, 3).map(({ name }) => name)).to.deep.equal(['top', 'low', 'on-low']);
      const [top, low, book] = deletions;
      expect(top).to.deep.include({ by: 'user:admins', expires: world.clock.time + 30 * 86_400_000, containers: [] });
      expect([low?.scopes, low?.containers?.map(({ name }) => name)]).to.deep.equal([['shelves:uid:low'], ['top']]);
      expect(book?.containers?.map(({ name }) => name)).to.deep.equal(['low', 'top']);
      expect(book?.containers?.every(({ origin }) => origin.length > 9)).to.equal(true);
    }, WITH_TRASH),
  );
});
