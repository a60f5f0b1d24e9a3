import { expect } from 'chai';
import type { KubeObject } from '../../pkg/kube/meta/types.js';
import { Client } from '../client/client.js';
import type { Ranges } from '../client/object-reader.js';
import type { ObjectClient } from '../client/objects.js';
import { CHEST, create, HOUSE, LEAF, type LeafSpec, ROOM } from '../testing/house.js';
import { ANN, ROOT, type Served, serve } from '../testing/served.js';

const INDEX = 'byTree';

describe('ranges of an index', () => {
  let served: Served;
  before(async () => {
    served = await serve(HOUSE);
    await create(served, ROOM, 'hall');
    const leaves = [
      ['a', 'oak', 3],
      ['b', 'oak', 1],
      ['c', 'pine', 2],
      ['d', 'oak', 2],
      ['e', 'pine', 1],
    ] as const;
    for (const [name, tree, size] of leaves) await create(served, LEAF, name, { tree, size });
    const { uid } = (await create(served, CHEST, 'box')).body.metadata;
    await create(served, LEAF, 'gone', { tree: 'oak', size: 9 }, { annotations: { home: `box ${uid}` } });
    await new Client(served.registry, { user: ROOT }).delete(CHEST, 'hall', 'box');
  });
  after(() => served.close());
  afterEach(() => {
    served.permissions = [];
  });

  const leaves = (user = ROOT): ObjectClient<LeafSpec> =>
    new Client(served.registry, { user }).objects<LeafSpec>(LEAF, 'hall');
  const names = (objects: Iterable<KubeObject>) => [...objects].map(({ metadata }) => metadata.name);
  const list = (ranges?: Ranges, most?: number) => names(leaves().list(ranges, 0, most));
  const tree = (name: string, more: object = {}) => ({ index: INDEX, prefix: [name], ...more });

  it('are read in both directions, between bounds that follow the prefix', () => {
    expect(list()).to.deep.equal(['a', 'b', 'c', 'd', 'e']);
    expect(list(tree('oak'))).to.deep.equal(['b', 'd', 'a']);
    expect(list(tree('oak', { reverse: true }))).to.deep.equal(['a', 'd', 'b']);
    expect(list(tree('oak', { from: [2] }))).to.deep.equal(['d', 'a']);
    expect(list(tree('oak', { to: [3] }))).to.deep.equal(['b', 'd']);
    expect(list(tree('oak', { from: [2], to: [3] }))).to.deep.equal(['d']);
    expect(list(tree('oak', { from: [2], reverse: true }))).to.deep.equal(['a', 'd']);
    expect(list({ index: INDEX, prefix: [] })).to.deep.equal(['b', 'd', 'a', 'e', 'c']);
    expect(list(tree('elm'))).to.deep.equal([]);
    expect(names(leaves(ANN).range(tree('pine')))).to.deep.equal(['e', 'c']);
  });

  it('are read as one, in the order of what follows their prefixes, and what is the same there occurs once', () => {
    expect(list([tree('oak'), tree('pine')])).to.deep.equal(['b', 'e', 'c', 'd', 'a']);
    expect(list([tree('pine'), tree('oak')])).to.deep.equal(['b', 'e', 'c', 'd', 'a']);
    const descending = ['oak', 'pine'].map((name) => tree(name, { reverse: true }));
    expect(list(descending)).to.deep.equal(['a', 'd', 'c', 'e', 'b']);
    expect(list([tree('oak'), tree('oak', { from: [2] })])).to.deep.equal(['b', 'd', 'a']);
    expect(list([tree('oak')])).to.deep.equal(['b', 'd', 'a']);
    expect(list([tree('elm'), tree('oak')])).to.deep.equal(['b', 'd', 'a']);
    expect(list([])).to.deep.equal([]);
  });

  it('leave out objects whose owners are gone, which count as rows that were read', () => {
    expect(() => leaves().get('gone'))
      .to.throw()
      .with.property('code', 404);
    expect(leaves().find('gone')).to.equal(undefined);
    expect(list(tree('oak'), 1)).to.deep.equal(['b']);
    expect(list(tree('oak', { reverse: true }), 1)).to.deep.equal([]);
  });

  it('have for each caller what this one may view', () => {
    served.permissions = ['a', 'c'].map((name) => ({ action: 'leaves:read', scope: `leaves:uid:${name}` }));
    expect(names(leaves(ANN).list(tree('oak')))).to.deep.equal(['a']);
    expect([leaves(ANN).seesAll, leaves().seesAll]).to.deep.equal([false, true]);
  });

  it('are those of the moment at which the reader began', async () => {
    const found: string[] = [];
    for (const { metadata } of leaves().list(tree('pine'))) {
      if (found.push(metadata.name) > 1) continue;
      await create(served, LEAF, 'new', { tree: 'pine', size: 1 });
      await leaves().delete('c');
    }
    expect(found).to.deep.equal(['e', 'c']);
    await leaves().delete('new');
    await create(served, LEAF, 'c', { tree: 'pine', size: 2 });
  });

  it('are counted by the first elements of their tuples', async () => {
    const counts = (prefix: readonly string[], length?: number) =>
      [...leaves().counts(INDEX, prefix, length)].map(({ tuple, count }) => [...tuple, count]);
    expect(counts(['oak'])).to.deep.equal([
      ['oak', 1, 1],
      ['oak', 2, 1],
      ['oak', 3, 1],
      ['oak', 9, 1],
    ]);
    const trees = [
      ['oak', 4],
      ['pine', 2],
    ];
    expect(counts([], 1)).to.deep.equal(trees);
    expect(counts(['elm'])).to.deep.equal([]);
    expect([leaves().countOf(INDEX, ['oak']), leaves().countOf(INDEX, ['oak', 7])]).to.deep.equal([4, 0]);
    // The text of a tuple that is too long is cut, so the tuple is not known.
    await create(served, LEAF, 'long', { tree: 'x'.repeat(2000), size: 1 });
    expect(counts([], 1)).to.deep.equal(trees);
    await leaves().delete('long');
  });
});
