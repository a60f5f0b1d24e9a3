import { expect } from 'chai';
import type { KubeObject } from '../pkg/meta/types.js';
import { StorageError } from '../storage/errors.js';
import { Client } from './client.js';
import { CHEST, create, HOUSE, LAMP, LEAF, type LeafSpec, ROOM } from './testing/house.js';
import { ANN, ROOT, type Served, serve } from './testing/served.js';
import type { UncachedObjects, UncachedRanges } from './uncached-objects.js';

const INDEX = 'byTree';

describe('the objects of a kind that is not in memory', () => {
  let served: Served;
  before(async () => {
    served = await serve(HOUSE);
    for (const room of ['hall', 'attic']) await create(served, ROOM, room);
    const leaves = [
      ['a', 'oak', 3],
      ['b', 'oak', 1],
      ['c', 'pine', 2],
      ['d', 'oak', 2],
      ['e', 'pine', 1],
    ] as const;
    for (const [name, tree, size] of leaves) await create(served, LEAF, name, { tree, size });
    await create(served, LEAF, 'top', { tree: 'oak', size: 2 }, {}, 'attic');
    const { uid } = (await create(served, CHEST, 'box')).body.metadata;
    await create(served, LEAF, 'gone', { tree: 'oak', size: 9 }, { annotations: { home: `box ${uid}` } });
    await new Client(served.registry, { user: ROOT }).delete(CHEST, 'hall', 'box');
  });
  after(() => served.close());
  afterEach(() => {
    served.permissions = [];
  });

  const leaves = (user = ROOT, namespace = 'hall'): UncachedObjects<LeafSpec> =>
    new Client(served.registry, { user }).uncached<LeafSpec>(LEAF, namespace);
  const names = async (objects: AsyncIterable<KubeObject>): Promise<readonly string[]> => {
    const found: string[] = [];
    for await (const { metadata } of objects) found.push(metadata.name);
    return found;
  };
  const list = (range?: UncachedRanges, most?: number) =>
    names(leaves().list(range, most === undefined ? {} : { most }));
  const codeOf = async (work: Promise<unknown>) => work.then(() => 0).catch((error: { code: number }) => error.code);
  const tree = (name: string, more: object = {}) => ({ index: INDEX, prefix: [name], ...more });

  it('are read by name, by those who may view them', async () => {
    const object = await leaves().get('a');
    expect(object.spec).to.deep.equal({ tree: 'oak', size: 3 });
    expect([
      await codeOf(leaves().get('x')),
      await codeOf(leaves(ANN).get('a')),
      await codeOf(leaves(ANN).get('x')),
    ]).to.deep.equal([404, 403, 403]);
    served.permissions = [{ action: 'leaves:read', scope: 'leaves:uid:a' }];
    expect((await leaves(ANN).get('a')).metadata.name).to.equal('a');
    expect(await codeOf(leaves(ANN).get('b'))).to.equal(403);
    expect((await leaves(ANN).find('b'))?.metadata.name).to.equal('b');
    expect(await leaves().find('x')).to.equal(undefined);
    expect(await leaves(ROOT, 'attic').find('a')).to.equal(undefined);
  });

  it('are not there if their owner is gone', async () => {
    expect([await codeOf(leaves().get('gone')), await leaves().find('gone')]).to.deep.equal([404, undefined]);
  });

  it('are listed by name, or in the order of an index', async () => {
    expect(await list()).to.deep.equal(['a', 'b', 'c', 'd', 'e']);
    expect(await names(leaves(ROOT, 'attic').list())).to.deep.equal(['top']);
    expect(await list(tree('oak'))).to.deep.equal(['b', 'd', 'a']);
    expect(await list(tree('oak', { reverse: true }))).to.deep.equal(['a', 'd', 'b']);
    expect(await list(tree('oak', { from: [2] }))).to.deep.equal(['d', 'a']);
    expect(await list(tree('oak', { to: [3] }))).to.deep.equal(['b', 'd']);
    expect(await list(tree('oak', { from: [2], to: [3] }))).to.deep.equal(['d']);
    expect(await list(tree('oak', { from: [2], reverse: true, first: 1 }))).to.deep.equal(['a', 'd']);
    expect(await list({ index: INDEX, prefix: [] })).to.deep.equal(['b', 'd', 'a', 'e', 'c']);
    expect(await list(tree('elm'))).to.deep.equal([]);
    expect(await names(leaves().range(tree('pine')))).to.deep.equal(['e', 'c']);
    expect(await names(leaves(ANN).range())).to.deep.equal(['a', 'b', 'c', 'd', 'e']);
  });

  it('are listed from several ranges as one, in one order and each of them once', async () => {
    expect(await list([tree('oak'), tree('pine')])).to.deep.equal(['b', 'e', 'c', 'd', 'a']);
    expect(await list([tree('pine'), tree('oak')])).to.deep.equal(['b', 'e', 'c', 'd', 'a']);
    expect(await list([tree('oak', { reverse: true }), tree('pine', { reverse: true })])).to.deep.equal([
      'a',
      'd',
      'c',
      'e',
      'b',
    ]);
    expect(await list([tree('oak', { first: 1 }), tree('oak', { from: [2], first: 1 })])).to.deep.equal([
      'b',
      'd',
      'a',
    ]);
    expect(await list([tree('oak')])).to.deep.equal(['b', 'd', 'a']);
    expect(await list([tree('elm'), tree('oak')])).to.deep.equal(['b', 'd', 'a']);
    expect(await list([])).to.deep.equal([]);
  });

  it('are listed no further than the reader wants, or than as many rows', async () => {
    // The row of the object in another namespace, and that of the object that is gone, count, too.
    expect(await list(tree('oak'), 1)).to.deep.equal(['b']);
    expect(await list(tree('oak'), 0)).to.deep.equal([]);
    expect(await list(tree('oak', { reverse: true }), 1)).to.deep.equal([]);
    for await (const { metadata } of leaves().list([tree('oak'), tree('pine')])) {
      expect(metadata.name).to.equal('b');
      break;
    }
  });

  it('are listed for those who may view them', async () => {
    served.permissions = ['a', 'c'].map((name) => ({ action: 'leaves:read', scope: `leaves:uid:${name}` }));
    expect(await names(leaves(ANN).list())).to.deep.equal(['a', 'c']);
    expect([leaves(ANN).seesAll, leaves().seesAll]).to.deep.equal([false, true]);
  });

  it('are found by their number, in their namespace', async () => {
    const objects = leaves();
    const id = objects.idOf(await objects.get('c'));
    expect(id).to.be.greaterThan(0);
    expect((await objects.findById(id))?.metadata.name).to.equal('c');
    expect(await objects.findById(id + 1000)).to.equal(undefined);
    expect(await leaves(ROOT, 'attic').findById(id)).to.equal(undefined);
  });

  it('are counted by the tuples of an index, or by their first elements', async () => {
    const counts = async (range: Parameters<UncachedObjects['counts']>[0]) => {
      const found: unknown[] = [];
      for await (const { tuple, count } of leaves().counts(range)) found.push([...tuple, count]);
      return found;
    };
    const oak = [
      ['oak', 1, 1],
      ['oak', 2, 2],
      ['oak', 3, 1],
      ['oak', 9, 1],
    ];
    expect(await counts(tree('oak'))).to.deep.equal(oak);
    expect(await counts(tree('oak', { reverse: true }))).to.deep.equal([...oak].reverse());
    expect(await counts({ index: INDEX, prefix: [], length: 1 })).to.deep.equal([
      ['oak', 5],
      ['pine', 2],
    ]);
    expect(await counts(tree('elm'))).to.deep.equal([]);
    expect(await leaves().count(INDEX, ['oak', 2])).to.equal(2);
    expect(await leaves().count(INDEX, ['oak', 7])).to.equal(0);
    const uncounted = leaves()
      .count('none', [])
      .catch(({ message }: Error) => message);
    expect(await uncounted).to.equal('Leaf does not count its index none');
    const { counted: _, ...countless } = LEAF;
    const client = new Client(served.registry, { user: ROOT });
    const nothing = await client
      .uncached(countless, 'hall')
      .count(INDEX, [])
      .catch(({ message }: Error) => message);
    expect(nothing).to.equal('Leaf does not count its index byTree');
    // The text of a tuple that is too long is cut, so the tuple is not known.
    await create(served, LEAF, 'long', { tree: 'x'.repeat(2000), size: 1 });
    expect(await counts({ index: INDEX, prefix: [], length: 1 })).to.deep.equal([
      ['oak', 5],
      ['pine', 2],
    ]);
    await leaves().delete('long');
  });

  it('are counted also if there are more tuples than are read at once', async () => {
    const own = await serve(HOUSE);
    try {
      await create(own, ROOM, 'hall');
      const client = new Client(own.registry, { user: ROOT });
      const many = Array.from({ length: 600 }, (_, size) => size);
      await client.transact(
        (transaction) => {
          for (const size of many)
            transaction
              .objects<LeafSpec>(LEAF, 'hall')
              .create({ metadata: { name: `n${size}` }, spec: { tree: 'oak', size } });
        },
        many.map((size) => client.uncached(LEAF, 'hall').key(`n${size}`)),
      );
      const found: number[] = [];
      for await (const { tuple } of client.uncached(LEAF, 'hall').counts(tree('oak'))) found.push(Number(tuple[1]));
      expect(found).to.deep.equal(many);
      const all: number[] = [];
      for await (const { count } of client.uncached(LEAF, 'hall').counts({ ...tree('oak'), length: 1 }))
        all.push(count);
      expect(all).to.deep.equal([600]);
      expect(
        (await names(client.uncached(LEAF, 'hall').list([tree('oak', { first: 1 }), tree('oak')]))).length,
      ).to.equal(600);
    } finally {
      await own.close();
    }
  });

  it('are written with the permissions of the caller', async () => {
    const objects = leaves();
    const made = await objects.create({ metadata: { name: 'w' }, spec: { tree: 'elm', size: 1 } });
    expect(made.spec).to.deep.equal({ tree: 'elm', size: 1 });
    const grown = await objects.update('w', (old) => ({ ...old, spec: { tree: 'elm', size: 2 } }));
    expect(grown.spec).to.deep.equal({ tree: 'elm', size: 2 });
    expect(await codeOf(leaves(ANN).delete('w'))).to.equal(403);
    expect(() => leaves(ANN).authorize('delete', made))
      .to.throw()
      .with.property('code', 403);
    served.permissions = [{ action: 'leaves:delete', scope: 'leaves:uid:w' }];
    expect([leaves(ANN).may('leaves:delete', made), leaves(ANN).may('leaves:write', made)]).to.deep.equal([
      true,
      false,
    ]);
    expect(() => leaves(ANN).authorize('delete', made)).to.not.throw();
    expect((await leaves(ANN).delete('w')).metadata.name).to.equal('w');
    expect(await objects.find('w')).to.equal(undefined);
  });

  it('are read by nobody as if they were in memory, and the others not as if they were not', () => {
    const client = new Client(served.registry, { user: ROOT });
    expect(() => client.objects(LEAF)).to.throw('Leaf is not cached: read and write it by Client.uncached');
    expect(() => client.uncached(LAMP)).to.throw('Lamp is cached: read and write it by Client.objects');
  });

  it('fail with an error of the API if the store fails', async () => {
    const failing = async function* () {
      yield* [];
      throw new StorageError('unavailable', 'no store');
    };
    const fail = () => Promise.reject(new StorageError('unavailable', 'no store'));
    const uncached = { get: fail, counts: fail, chunks: failing };
    const registry = { ...served.registry, uncached } as unknown as Served['registry'];
    const objects = new Client(registry, { user: ROOT }).uncached(LEAF, 'hall');
    const works = [
      objects.find('a'),
      objects.count(INDEX, ['oak', 1]),
      names(objects.list()),
      names(objects.list(tree('oak'))),
      names(objects.list([tree('oak'), tree('pine')])),
    ];
    for (const work of works) expect(await codeOf(work)).to.equal(503);
  });
});
