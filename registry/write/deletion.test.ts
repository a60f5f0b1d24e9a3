import { expect } from 'chai';
import { ApiError } from '../../pkg/kube/status/status.js';
import { inWorld, refusal, type World } from '../testing/world.js';
import { HELD, options, withoutFinalizers } from './testing/deletions.js';
import type { WriteResult } from './write.js';

const parsed = ({ value }: WriteResult) => JSON.parse(Buffer.from(value).toString());

/** Shelf `low` is on `top`, book `one` on `low`, and `two` is the sequel of `one`. `other` stands alone. */
async function fill({ put, kinds: { shelf, book } }: World, ofOne = {}): Promise<void> {
  await put(shelf, 'top');
  await put(shelf, 'low', { on: 'top' });
  await put(book, 'one', { on: 'low' }, ofOne);
  await put(book, 'two', { after: 'one' });
  await put(book, 'other');
}

describe('a deletion', () => {
  it(
    'is told to people once, however often an object that a finalizer holds is deleted',
    inWorld(
      async ({ kinds: { shelf, book }, put, admin, told }) => {
        await put(shelf, 's', {}, HELD);
        await put(book, 'b', { on: 's' }, HELD);
        const first = await admin.delete(shelf, 'default', 's');
        const second = await admin.delete(shelf, 'default', 's');
        expect([first.isSame, second.isSame, second.isGone]).to.deep.equal([false, true, false]);
        expect(second.object).to.deep.equal(first.object);
        expect(told.map(({ message, about: { name } }) => [message, name])).to.deep.equal([['1', 's']]);
      },
      {
        kinds: {
          shelf: {
            reports: {
              written: ({ verb, took }) =>
                verb === 'delete' ? { reason: 'Deleted', type: 'Normal', message: `${took.get('Book')}` } : undefined,
            },
          },
        },
      },
    ),
  );

  it(
    'takes the contents of all kinds with it',
    inWorld(
      async ({ kinds: { shelf, slip }, put, admin, names }) => {
        await put(shelf, 's');
        await put(slip, 'p', { in: 's' });
        await admin.delete(shelf, 'default', 's');
        expect([await names(shelf), await names(slip)]).to.deep.equal([[], []]);
      },
      {
        kinds: {
          slip: {
            containment: {
              resource: 'shelves.library.svc.app',
              container: ({ spec }) => (spec as Record<string, string>)['in'],
              field: 'spec.in',
              root: 'floor',
            },
          },
        },
      },
    ),
  );

  it(
    'takes the contents of the object and what references it, and tells how many of what',
    inWorld(async (world) => {
      const { kinds, put, names, admin, registry } = world;
      await fill(world);
      await put(kinds.lock, 'l', { of: 'two' });
      await put(kinds.book, 'three', { like: 'two' });
      const written = await admin.delete(kinds.shelf, 'default', 'top');
      expect([...(written.took ?? [])].toSorted()).to.deep.equal([
        ['Book', 3],
        ['Shelf', 1],
      ]);
      expect([written.isGone, written.warnings]).to.deep.equal([true, undefined]);
      expect(await names(kinds.book)).to.deep.equal(['other']);
      expect([await names(kinds.shelf), await names(kinds.lock)]).to.deep.equal([[], []]);
      expect(written.object).to.deep.equal(parsed(written));
      expect(written.object.metadata.name).to.equal('top');
      expect(Number(written.object.metadata.resourceVersion)).to.be.within(1, registry.reader.revision);
    }),
  );

  it(
    'takes what refers to each other in a circle, each object once, and one that refers to itself',
    inWorld(async ({ kinds: { book }, put, change, names, admin }) => {
      await put(book, 'a');
      await put(book, 'b', { after: 'a', like: 'a' });
      await change(book, 'a', { after: 'b' });
      await put(book, 'self', { like: 'self' });
      expect([...((await admin.delete(book, 'default', 'a')).took ?? [])]).to.deep.equal([['Book', 1]]);
      expect((await admin.delete(book, 'default', 'self')).isGone).to.equal(true);
      await put(book, 'held', { like: 'held' }, HELD);
      await admin.delete(book, 'default', 'held');
      await change(book, 'held', { like: 'held' }, { finalizers: [] });
      await put(book, 'alone', { like: 'none' });
      expect((await admin.delete(book, 'default', 'alone')).isGone).to.equal(true);
      expect(await names(book)).to.deep.equal([]);
    }),
  );

  it(
    'leaves what has finalizers terminating, and all that it depends on, and removes the rest',
    inWorld(async (world) => {
      const { kinds, get, names, admin } = world;
      await fill(world, HELD);
      const written = await admin.delete(kinds.shelf, 'default', 'top');
      expect([written.isGone, parsed(written)]).to.deep.equal([false, written.object]);
      expect(written.object.metadata.resourceVersion).to.equal(get(kinds.shelf, 'top')?.metadata.resourceVersion);
      expect([await names(kinds.shelf), await names(kinds.book)]).to.deep.equal([
        ['low', 'top'],
        ['one', 'other'],
      ]);
      for (const object of [get(kinds.shelf, 'top'), get(kinds.shelf, 'low'), get(kinds.book, 'one')])
        expect(object?.metadata).to.include({
          deletionTimestamp: '2026-01-01T00:00:00Z',
          deletionGracePeriodSeconds: 0,
          generation: 2,
        });
      expect(get(kinds.book, 'one')?.metadata.finalizers).to.deep.equal(['x/y']);
      expect(get(kinds.book, 'other')?.metadata).to.not.have.property('deletionTimestamp');
      const { revision } = world.registry.reader;
      expect((await admin.delete(kinds.shelf, 'default', 'top')).isGone).to.equal(false);
      expect(world.registry.reader.revision, 'a second deletion').to.equal(revision);
    }),
  );

  it(
    'ends when the last finalizer goes: the object goes with all that only it held',
    inWorld(async (world) => {
      const { kinds, put, change, names, admin } = world;
      await fill(world, HELD);
      await put(kinds.book, 'held', { on: 'low' }, HELD);
      await admin.delete(kinds.shelf, 'default', 'top');
      await change(kinds.book, 'one', { on: 'low' }, { finalizers: [] });
      expect([await names(kinds.shelf), await names(kinds.book)]).to.deep.equal([
        ['low', 'top'],
        ['held', 'other'],
      ]);
      await change(kinds.book, 'held', { on: 'low' }, { finalizers: [] });
      expect([await names(kinds.shelf), await names(kinds.book)]).to.deep.equal([[], ['other']]);
    }),
  );

  it(
    'ends for an object that waited for a deleted one, but not for one with a finalizer of its own, nor for a living one',
    inWorld(async ({ kinds: { book, writer }, put, names, admin, get }) => {
      await put(writer, 'w', {}, HELD);
      await put(writer, 'living');
      await put(book, 'a', { by: 'w' }, HELD);
      await admin.delete(writer, '', 'w');
      expect(get(book, 'a')?.metadata.deletionTimestamp).to.be.a('string');
      const removed = (await admin.update(book, 'default', 'a', (old) => withoutFinalizers(old))).isGone;
      expect([removed, await names(book), await names(writer)]).to.deep.equal([true, [], ['living', 'w']]);
      await admin.update(writer, '', 'w', (old) => withoutFinalizers(old));
      await put(book, 'b', { by: 'living' });
      await admin.delete(book, 'default', 'b');
      expect(await names(writer)).to.deep.equal(['living']);
    }),
  );

  it(
    'demands that the object exists, is the expected one, and that the caller may delete it',
    inWorld(async ({ kinds: { writer }, put, admin, as, names }) => {
      await put(writer, 'w');
      expect(await refusal(admin.delete(writer, '', 'none'))).to.match(/^404 NotFound .*"none" not found/);
      const chosen = options({ preconditions: { uid: 'another' } });
      expect(await refusal(admin.delete(writer, '', 'w', chosen))).to.match(/^409 Conflict/);
      expect(await refusal(as('writers:read *').delete(writer, '', 'w'))).to.match(/^403 Forbidden .*writers:delete/);
      expect(await names(writer)).to.deep.equal(['w']);
      expect((await as('writers:delete writers:uid:w').delete(writer, '', 'w')).isGone).to.equal(true);
    }),
  );

  it(
    'changes nothing in a dry run, and answers as it would be',
    inWorld(async (world) => {
      const { kinds, put, get, names, registry } = world;
      await fill(world);
      await put(kinds.writer, 'w', {}, HELD);
      const { revision } = registry.reader;
      const dry = world.with({ isDryRun: true });
      const gone = await dry.delete(kinds.shelf, 'default', 'low');
      expect([gone.isGone, gone.object]).to.deep.equal([true, get(kinds.shelf, 'low')]);
      const stays = await dry.delete(kinds.writer, '', 'w');
      expect([stays.isGone, stays.object.metadata.deletionTimestamp]).to.deep.equal([false, '2026-01-01T00:00:00Z']);
      expect(stays.object.metadata.resourceVersion).to.equal(get(kinds.writer, 'w')?.metadata.resourceVersion);
      expect([registry.reader.revision, await names(kinds.shelf)]).to.deep.equal([revision, ['low', 'top']]);
    }),
  );
});

describe('a rule about deletions', () => {
  const asked: unknown[] = [];
  const no = new ApiError({ code: 409, reason: 'Conflict', message: 'no' });
  const strategy = {
    validateDelete: (object: { metadata: { name: string } }, ctx: unknown, parameters: unknown) => {
      const { namespace, isGoing } = ctx as { namespace: string; isGoing(...key: readonly string[]): boolean };
      const going = ['one', 'other'].map((name) => isGoing('books.library.svc.app', 'default', name));
      asked.push([object.metadata.name, namespace, going, parameters]);
      if (object.metadata.name === 'other') throw no;
    },
  };

  it(
    'is asked about every object that goes, in its own namespace, with the parameters of the request',
    inWorld(
      async (world) => {
        asked.length = 0;
        const { kinds, admin, change, put, names } = world;
        await fill(world);
        await put(kinds.writer, 'w');
        await change(kinds.book, 'one', { on: 'low', by: 'w' });
        const parameters = new Map([['force', 'yes']]);
        await admin.delete(kinds.writer, '', 'w', options({ parameters }));
        expect(asked).to.deep.equal([
          ['two', 'default', [true, false], parameters],
          ['one', 'default', [true, false], parameters],
        ]);
        expect(await refusal(admin.delete(kinds.book, 'default', 'other'))).to.equal('409 Conflict no');
        expect(await names(kinds.book)).to.deep.equal(['other']);
      },
      { kinds: { book: { strategy } } },
    ),
  );
});

describe('a namespace', () => {
  it(
    'stays until it is empty',
    inWorld(
      async ({ kinds: { namespace, book, slip }, put, admin, names, get }) => {
        for (const [kind, name] of [
          [book, 'first'],
          [slip, 'second'],
        ] as const) {
          await put(namespace, name);
          await put(kind, 'a', {}, { namespace: name });
          expect((await admin.delete(namespace, '', name)).isGone, name).to.equal(false);
          expect(await refusal(put(kind, 'b', {}, { namespace: name }))).to.match(/^403 Forbidden .*being terminated/);
          await admin.delete(kind, name, 'a');
          expect((await admin.delete(namespace, '', name)).isGone, name).to.equal(true);
        }
        await put(namespace, 'third');
        expect((await admin.delete(namespace, '', 'third')).isGone).to.equal(true);
        expect([await names(namespace), get(namespace, 'third')]).to.deep.equal([[], undefined]);
      },
      { withNamespaces: true },
    ),
  );
});
