import { expect } from 'chai';
import { readerOf } from '../testing/reader.js';
import { inWorld } from '../testing/world.js';
import { PAGE, page } from '../write/testing/pages.js';
import { freezeObjects, nameOf } from './reader.js';

const elsewhere = (name: string) => page(name, { title: 'x' }, { namespace: 'default-2' });
const READER = readerOf([
  [PAGE, page('a', { title: 'x' })],
  [PAGE, page('b', { title: 'x' })],
  [PAGE, page('c', { title: 'y' })],
  [PAGE, elsewhere('d')],
]);
const RESOURCE = PAGE.qualified;

describe('a reader of one state', () => {
  it('finds an object by its key', () => {
    expect(READER.get(RESOURCE, 'default', 'a')?.spec).to.deep.equal({ title: 'x' });
    expect(READER.get(RESOURCE, 'default', 'd')).to.equal(undefined);
    expect(READER.get(RESOURCE, 'default-2', 'd')?.metadata.name).to.equal('d');
  });

  it('finds objects by an index, in order, up to a limit', () => {
    const named = (prefix: readonly string[], limit?: number) =>
      READER.entries(RESOURCE, 'byTitle', prefix, limit).map(nameOf);
    expect(named(['x'])).to.have.members(['a', 'b', 'd']);
    expect(named([])).to.have.length(4);
    expect([0, 1, 2, 9].map((limit) => named(['x'], limit).length)).to.deep.equal([0, 1, 2, 3]);
    expect(READER.range(RESOURCE, 'byTitle', ['y']).map(({ metadata }) => metadata.name)).to.deep.equal(['c']);
    expect(READER.range(RESOURCE, 'byTitle', ['x'], 2)).to.have.length(2);
  });

  it('knows the objects of a namespace, and how many there are', () => {
    expect([...READER.inNamespace(RESOURCE, 'default')].map(nameOf)).to.deep.equal(['a', 'b', 'c']);
    expect([READER.count(RESOURCE, 'default'), READER.count(RESOURCE, 'none'), READER.size(RESOURCE)]).to.deep.equal([
      3, 0, 4,
    ]);
  });

  it('is at one revision', () => {
    expect(READER.revision).to.equal(4);
  });

  it(
    'tells which published state it reads, so that results can be kept for it, but not in a transaction',
    inWorld(async ({ kinds, put, admin, registry: { reader } }) => {
      const before = reader.published;
      expect(before).to.be.an('object');
      expect(reader.published).to.equal(before);
      expect(await admin.transact((transaction) => transaction.reader.published)).to.equal(undefined);
      await put(kinds.book, 'a');
      expect(reader.published).to.be.an('object').and.not.equal(before);
    }),
  );

  it('gives objects that tests may freeze, so that what changes a shared object fails', () => {
    freezeObjects();
    const object = readerOf([[PAGE, { ...page('a', { title: 'x' }), status: null }]]).get(RESOURCE, 'default', 'a');
    for (const part of [object, object?.spec, object?.metadata]) expect(part).to.be.an('object').and.frozen;
  });
});
