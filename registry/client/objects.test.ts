import { expect } from 'chai';
import type { KubeObject } from '../../pkg/kube/meta/types.js';
import { inWorld, refusal, type World } from '../testing/world.js';

const names = (objects: Iterable<KubeObject>): readonly string[] => [...objects].map(({ metadata }) => metadata.name);
const code = (work: () => unknown): number => {
  try {
    work();
  } catch (error) {
    return (error as { code: number }).code;
  }
  return 0;
};
/** Shelf `top` with `low` on it, three books, of which one is the sequel of another, and a writer. */
const filled = async ({ kinds, put }: World): Promise<void> => {
  await put(kinds.writer, 'ann');
  await put(kinds.shelf, 'top');
  await put(kinds.shelf, 'low', { on: 'top' });
  await put(kinds.book, 'one', { on: 'top', by: 'ann' });
  await put(kinds.book, 'two', { on: 'top', after: 'one' });
  await put(kinds.book, 'three', { on: 'low' });
};

describe('the objects of a kind in a namespace', () => {
  it(
    'are read by those who may view them',
    inWorld(async (world) => {
      await filled(world);
      const { kinds, admin, as } = world;
      const books = admin.objects(kinds.book, 'default');
      expect(books.get('one').metadata.name).to.equal('one');
      expect([code(() => books.get('none')), books.find('none'), books.count()]).to.deep.equal([404, undefined, 3]);
      const some = as('books:read books:uid:two').objects(kinds.book, 'default');
      expect([names(some.list()), code(() => some.get('one'))]).to.deep.equal([['two'], 403]);
      expect(code(() => some.getFor('update', 'two'))).to.equal(403);
      expect(some.find('one')?.metadata.name).to.equal('one');
      expect(names(books.list(undefined, 1))).to.deep.equal(['three', 'two']);
      expect(names(some.list(undefined, 1))).to.deep.equal([]);
      expect(names(some.range())).to.deep.equal(['one', 'three', 'two']);
    }),
  );

  it(
    'are found by what contains them',
    inWorld(async (world) => {
      await filled(world);
      const { kinds, admin, as } = world;
      const books = admin.objects(kinds.book, 'default');
      expect([names(books.contained('top')), names(books.contained('none'))]).to.deep.equal([['one', 'two'], []]);
      expect(books.countContained('top')).to.equal(2);
      expect(as('books:read books:uid:two').objects(kinds.book, 'default').countContained('top')).to.equal(1);
    }),
  );

  it(
    'are found by their number in their namespace',
    inWorld(
      async (world) => {
        await filled(world);
        const { kinds, admin } = world;
        const books = admin.objects(kinds.book, 'default');
        const id = books.idOf(books.get('two'));
        expect(id).to.be.greaterThan(0);
        expect(books.findById(id)?.metadata.name).to.equal('two');
        expect(books.entriesById(id)).to.have.length(1);
        expect([books.findById(id + 100), books.entriesById(id + 100)]).to.deep.equal([undefined, []]);
        const elsewhere = admin.objects(kinds.book, 'other');
        expect([elsewhere.findById(id), elsewhere.entriesById(id)]).to.deep.equal([undefined, []]);
        expect(books.idOf({ apiVersion: '', kind: '', metadata: { name: 'x' } })).to.equal(0);
      },
      { kinds: { book: { internalId: true } } },
    ),
  );

  it(
    'are written by those who may, and by the rules of the kind',
    inWorld(async (world) => {
      await filled(world);
      const { kinds, admin, as } = world;
      const books = admin.objects<Readonly<Record<string, string>>>(kinds.book, 'default');
      expect((await books.create({ metadata: { name: 'new' }, spec: { on: 'top' } })).metadata.name).to.equal('new');
      expect((await books.update('new', (old) => ({ ...old, spec: { x: '1' } }))).spec).to.deep.equal({ x: '1' });
      const wrong = { x: 1 } as unknown as Readonly<Record<string, string>>;
      expect(await refusal(books.update('new', (old) => ({ ...old, spec: wrong })))).to.match(/^422/);
      expect(await refusal(books.create({ metadata: { name: 'bad' }, spec: wrong }))).to.match(/^422/);
      const lit = await books.updateStatus('new', (old) => ({ ...old, status: { lit: 'yes' }, spec: { x: '2' } }));
      expect([lit.status, lit.spec]).to.deep.equal([{ lit: 'yes' }, { x: '1' }]);
      expect(await refusal(books.updateStatus('new', (old) => ({ ...old, status: { lit: 1 } })))).to.match(/^422/);
      const labels = { a: 1 } as unknown as Readonly<Record<string, string>>;
      const labelled = books.update('new', (old) => ({ ...old, metadata: { ...old.metadata, labels } }));
      expect(await refusal(labelled)).to.match(/^422 .*metadata\.labels\.a/);
      const some = as('books:read *').objects(kinds.book, 'default');
      expect(await refusal(some.delete('new'))).to.match(/^403/);
      expect((await books.delete('new')).metadata.name).to.equal('new');
      expect(books.find('new')).to.equal(undefined);
    }),
  );

  it(
    'may be asked for permissions without a request',
    inWorld(async (world) => {
      await filled(world);
      const { kinds, as } = world;
      const some = as('books:read books:uid:two', 'books:write books:uid:two').objects(kinds.book, 'default');
      const [one, two] = [some.find('one'), some.find('two')];
      expect([some.may('books:write', two), some.may('books:write', one), some.may('books:write')]).to.deep.equal([
        true,
        false,
        true,
      ]);
      expect([code(() => some.authorize('update', two)), code(() => some.authorize('update', one))]).to.deep.equal([
        0, 403,
      ]);
      expect(() => some.authorize('update', one)).to.throw('"one"');
      expect([code(() => some.authorize('update')), code(() => some.authorize('create'))]).to.deep.equal([0, 403]);
    }),
  );

  it(
    'have a version that is the same until one of them changes',
    inWorld(async (world) => {
      await filled(world);
      const { kinds, admin, put, change } = world;
      const books = admin.objects(kinds.book, 'default');
      const before = books.version;
      await put(kinds.shelf, 'far');
      expect(books.version).to.equal(before);
      await change(kinds.book, 'three', { x: '1' });
      expect(books.version).to.not.equal(before);
    }),
  );

  it(
    'can be created or changed in a transaction, whichever it takes',
    inWorld(async (world) => {
      await filled(world);
      const { kinds, admin } = world;
      const specs: unknown[] = [];
      await admin.transact((transaction) => {
        const books = transaction.objects<Readonly<Record<string, string>>>(kinds.book, 'default');
        for (const name of ['one', 'new']) {
          books.put(name, (old) => {
            specs.push(old);
            return { x: '1' };
          });
        }
        books.updateStatus('new', (old) => ({ ...old, status: { lit: 'no' } }));
        books.delete('three');
      });
      expect(specs).to.deep.equal([{ on: 'top', by: 'ann' }, undefined]);
      const books = admin.objects(kinds.book, 'default');
      expect(names(books.list())).to.deep.equal(['new', 'one', 'two']);
      expect([books.get('one').spec, books.get('new').status]).to.deep.equal([{ x: '1' }, { lit: 'no' }]);
    }),
  );
});
